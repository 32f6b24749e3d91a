// Prints events: one output format per row of a table (event_writer.cpp).
#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <string_view>

#include "app/cli/output.h"
#include "core/query/event_stream.h"
#include "core/store/trace.h"

namespace weft::cli {

class EventWriter {
 public:
  virtual ~EventWriter() = default;
  virtual void write(const query::Event& event) = 0;
};

// `format`: an id in the table. Prints the heading of the events. The trace and the output must
// outlive the writer.
std::unique_ptr<EventWriter> make_event_writer(std::string_view format, const store::Trace& trace,
                                               Output& output);

// Declares --format, and --json for "jsonl". `format` holds the default, then the chosen id; it
// must outlive the command line.
void declare_event_format(CLI::App& app, std::string& format);

}  // namespace weft::cli
