// How events are printed: one output format per row of a table (event_writer.cpp).
#pragma once

#include <functional>
#include <memory>
#include <span>
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

struct EventFormat {
  std::string_view id;  // "jsonl"
  // Prints what stands above the events. The trace and the output outlive the writer.
  std::unique_ptr<EventWriter> (*make)(const store::Trace& trace, Output& output);
};

std::span<const EventFormat> event_formats();

}  // namespace weft::cli
