// How events are printed: one output format per row of a table (event_writer.cpp).
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

// `format`: the id of one. Prints what stands above the events; the trace and the output outlive
// the writer.
std::unique_ptr<EventWriter> make_event_writer(std::string_view format, const store::Trace& trace,
                                               Output& output);

// --format, and --json for the same as "jsonl". `format`, which outlives the command line, holds
// the default and then the id of one of them.
void declare_event_format(CLI::App& app, std::string& format);

}  // namespace weft::cli
