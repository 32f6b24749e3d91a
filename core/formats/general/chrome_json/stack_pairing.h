// Pairs begins and ends of states ("B" and "E") in different chunks, or in the wrong order.
//
// Those of chunks that are not in order of time are sorted within a window (stacks/time_window.h);
// what comes later still, before an end that has closed a state, is counted. Within a lane an end
// closes the innermost open begin, unless it lies before it. Unmatched begins and ends are kept,
// and paired by time at the end of the trace.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/large_vector.h"
#include "core/formats/general/chrome_json/output.h"
#include "core/formats/general/chrome_json/waiting_memory.h"
#include "core/formats/stacks/time_window.h"

namespace weft::formats::chrome_json {

class StackPairing {
 public:
  StackPairing(Output& output, WaitingMemory& waiting)
      : output_(output), waiting_memory_(waiting) {}

  struct Begin {
    Time time;
    uint64_t offset;
    EventTypeId type;
    uint32_t name;     // tag of the name
    std::string json;  // parameters
  };
  struct End {
    Time time;
    uint64_t offset;
    uint32_t name;
    std::string json;
  };
  // A tag for a name as written, since millions may be kept; 0: none.
  static uint32_t tag_of(std::string_view name);

  // Call in the order of the text, if that may not be the order of time.
  void put_in_order(LaneId lane, Begin begin);
  void put_in_order(LaneId lane, End end);
  // Ends a disordered stretch: all of it precedes what follows.
  void end_disorder();

  // Call in order of time.
  void begin(LaneId lane, Begin begin);
  // Returns whether it closed one of the begins.
  bool end(LaneId lane, End end);
  // Notes the end of a state that was paired elsewhere.
  void note_end(LaneId lane, Time end);
  size_t depth(LaneId lane) const;

  // Pairs what is left by time. States without an end last until `end` and are noted: a trace
  // stopped while its program ran has them.
  void finish(Time end);

 private:
  struct Lane {
    std::vector<Begin> stack;
    std::vector<End> late_ends;
    Time last_end = Time::min();  // of a paired state
  };
  struct Event {  // a begin, or an end
    Time time;
    uint32_t lane;
    uint64_t offset;
    EventTypeId type;  // of a begin
    uint32_t name;
    bool is_begin;
    std::string json;
  };
  auto take() {
    return [this](Event& event) { take(LaneId(event.lane), event); };
  }
  void put_in_order(Event event);
  void take(LaneId lane, Event& event);
  void emit(LaneId lane, const Begin& begin, Time end, std::string_view end_json, size_t depth);
  void finish_lane(LaneId id, Lane& lane, Time end);

  Output& output_;
  WaitingMemory& waiting_memory_;
  stacks::TimeWindow<Event> window_;
  LargePool memory_;
  std::pmr::map<LaneId, Lane> lanes_{&memory_};
};

}  // namespace weft::formats::chrome_json
