// A trace of OTF2 that was converted to CTF: its definitions are events, too (GlobalDef_*), at the
// time at which the trace begins, and the events (Event_*) name locations instead of threads. What
// they mean is otf2/'s to say; an event stays one where a state, a link or a variable does not hold
// all of its fields, with the texts that it names by number.
//
// Source: the metadata of such traces (barectf's, by tracer "otf2"); OTF2's manual for the numbers.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "core/formats/hpc/otf2/otf2_definitions.h"
#include "core/formats/hpc/otf2/otf2_events.h"
#include "core/formats/kernel/ctf/event.h"
#include "core/trace/event_sink.h"

namespace weft::formats::ctf {

class ConvertedOtf2 {
 public:
  explicit ConvertedOtf2(trace::EventSink& sink) : sink_(sink), events_(definitions_, sink) {}

  using Handler = bool (ConvertedOtf2::*)(const Event&, uint64_t stream);
  // Returns null if it stays an event of its own.
  static Handler handler_of(std::string_view name);
  static bool is_definition(std::string_view name) { return name.starts_with("GlobalDef"); }
  // Whether a stream holds the definitions: its events come before others of the same time.
  static bool is_of_definitions(const bt_stream& stream);

  // Returns false if it stays an event of its own: with the texts that it names by number. `stream`
  // is the number of its stream, `handler` may be null.
  bool add(Handler handler, Event& event, uint64_t stream);
  // Returns the lane of an event; none() if it names no location.
  LaneId lane_of(const Event& event, uint64_t stream);
  void finish();

 private:
  bool define_clock(const Event& event, uint64_t stream);
  bool define_string(const Event& event, uint64_t stream);
  bool define_node(const Event& event, uint64_t stream);
  bool define_location_group(const Event& event, uint64_t stream);
  bool define_location(const Event& event, uint64_t stream);
  bool define_region(const Event& event, uint64_t stream);
  bool define_calling_context(const Event& event, uint64_t stream);
  bool define_metric_member(const Event& event, uint64_t stream);
  bool define_metric(const Event& event, uint64_t stream);
  bool define_metric_instance(const Event& event, uint64_t stream);
  bool define_group(const Event& event, uint64_t stream);
  bool add_group_member(const Event& event, uint64_t stream);
  bool define_communicator(const Event& event, uint64_t stream);
  bool enter(const Event& event, uint64_t stream);
  bool leave(const Event& event, uint64_t stream);
  bool enter_context(const Event& event, uint64_t stream);
  bool leave_context(const Event& event, uint64_t stream);
  bool send(const Event& event, uint64_t stream);
  bool receive(const Event& event, uint64_t stream);
  bool begin_collective(const Event& event, uint64_t stream);
  bool end_collective(const Event& event, uint64_t stream);
  bool begin_metric(const Event& event, uint64_t stream);
  bool add_metric_value(const Event& event, uint64_t stream);

  otf2::LocationRef location_of(const Event& event, uint64_t stream);
  void begin_events();
  std::string texts_of(const Event& event) const;

  // The latest events of a stream, which others continue.
  struct Stream {
    otf2::LocationRef location = otf2::kNoLocation;
    otf2::Ref metric = otf2::kNoRef;
    uint64_t values = 0, values_due = 0;  // of the metric
  };
  trace::EventSink& sink_;
  otf2::Definitions definitions_;
  otf2::Events events_;
  std::map<uint64_t, Stream> streams_;
  bool has_begun_ = false;
  std::string texts_;  // of the last event
};

}  // namespace weft::formats::ctf
