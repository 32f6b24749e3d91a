// Passes the kernel part of Fuchsia's JSON, the value of "systemTraceEvents", to ftrace::Kernel:
//
//   {"type":"fuchsia","events":[
//     {"ph":"p","pid":7,"name":"shell"}, {"ph":"t","pid":7,"tid":9,"name":"main"},
//     {"ph":"w","ts":1.5,"cpu":0,"pid":7,"tid":9},
//     {"ph":"k","ts":2.5,"cpu":0,"out":{"pid":0,"tid":3,"state":3,"prio":0},
//      "in":{"pid":7,"tid":9,"prio":16}}]}
//
// Times are in microseconds; the priority 0 is the idle thread's.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "core/formats/base/json_document.h"
#include "core/formats/general/chrome_json/lane_table.h"
#include "core/formats/general/fxt/fxt_objects.h"
#include "core/formats/kernel/ftrace/kernel.h"
#include "core/trace/event_sink.h"

namespace weft::formats::chrome_json {

class FuchsiaKernel {
 public:
  // `text`, at `offset` in the input, must outlive this object. Processes and threads without a
  // name are named as in `known`.
  FuchsiaKernel(std::string_view text, uint64_t offset, LaneTable& known, trace::EventSink& sink)
      : text_(text),
        offset_(offset),
        known_(known),
        sink_(sink),
        kernel_(sink, LaneId::none(), ftrace::Lanes::OnTasks::kMarks),
        objects_(kernel_.lanes()) {}

  // Known processes and threads are adopted first.
  ftrace::Lanes& lanes() { return kernel_.lanes(); }
  void read();

 private:
  void add(json::Element event);
  void switch_threads(json::Element event, const ftrace::At& at);
  // Returns a thread's number, 0 for the idle thread; nullopt if it has none.
  std::optional<uint64_t> thread(std::optional<json::Element> of);

  const std::string_view text_;
  const uint64_t offset_;
  LaneTable& known_;
  trace::EventSink& sink_;
  ftrace::Kernel kernel_;
  fxt::Objects objects_;
};

}  // namespace weft::formats::chrome_json
