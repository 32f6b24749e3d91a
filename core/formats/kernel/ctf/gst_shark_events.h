// Interprets what GstShark measures in a pipeline of GStreamer: values of its elements and pads, as
// in the log of GStreamer's own tracers, and the load of CPUs.
//
//   elements    rate        how long a buffer took (ns), what a queue holds
//   pads        rate_src    how long from a pad before it and since the last buffer (ns), rates
//   CPU load    cpu0        in percent
//
// Source: gst-shark 0.8, plugins/tracers.
#pragma once

#include <string_view>

#include "core/formats/base/by_name.h"
#include "core/formats/kernel/ctf/event.h"
#include "core/trace/event_sink.h"

namespace weft::formats::ctf {

class GstSharkEvents {
 public:
  explicit GstSharkEvents(trace::EventSink& sink) : sink_(sink) {}

  // Whether a stream has GstShark's events and no others.
  static bool is_one(const bt_stream_class& stream);

  // Adds the values that an event tells.
  void add(const Event& event);

 private:
  struct Group {
    LaneId lane = LaneId::none();
    ByName<LaneId> members;
  };
  LaneId lane_in(Group& group, std::string_view group_name, std::string_view name,
                 trace::LaneKind kind);
  void add_loads(const Event& event);
  void add_value(Time time, double value, LaneId lane, std::string_view type);

  trace::EventSink& sink_;
  Group elements_, pads_, loads_;
};

}  // namespace weft::formats::ctf
