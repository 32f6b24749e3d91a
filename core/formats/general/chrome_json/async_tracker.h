// Pairs events that begin and end by id: asynchronous states (b/n/e, the older S/T/p/F) and the
// lives of objects (N/O/D) become states and punctual events on lanes of their own.
//
// Of a state with steps, "T" begins one, which lasts to the next or the end, and "p" ends one,
// which began at the step before it or at the begin.
//
// States of one id nest; an end closes the innermost open state of its name, in its own process
// first (a plain "id" may cross processes). Events out of order are sorted within a window
// (stacks/time_window.h), later ends find their begins at the end of the trace, and events before
// an end of their id that has already closed a state are counted.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/formats/general/chrome_json/chunk.h"
#include "core/formats/general/chrome_json/lane_table.h"
#include "core/formats/general/chrome_json/output.h"
#include "core/formats/general/chrome_json/waiting_memory.h"
#include "core/formats/stacks/time_window.h"

namespace weft::formats::chrome_json {

class AsyncTracker {
 public:
  AsyncTracker(LaneTable& lanes, Output& output, WaitingMemory& waiting)
      : lanes_(lanes), output_(output), waiting_memory_(waiting) {}

  // `json`: the event's parameters as text.
  void add(const KeyedEvent& event, LaneId process, EventTypeId type, std::string_view json);

  // Gives what waits to be put in order.
  void give_held();
  // Ends what is open at `end`, the end of the trace.
  void finish(Time end);

 private:
  struct Step {
    EventTypeId type;
    std::string json;
  };
  struct Open {
    Time begin;
    LaneId process;
    LaneId lane;
    EventTypeId type;
    uint64_t offset;
    std::string name;
    std::string json;
    bool is_object;
    Time last_step;                   // "T" or "p"; before any of them its begin
    std::unique_ptr<Step> step = {};  // that began then and goes on
  };
  struct LateEnd {
    Time time;
    LaneId process;
    uint64_t offset;
    std::string key;
    std::string name;
    std::string json;
  };
  using Stack = std::vector<Open>;
  static constexpr size_t kMostSearched = 1000;  // open states of an id that an end examines

  struct Event {
    Time time;
    uint32_t lane;  // of the window
    char phase;
    LaneId process;
    EventTypeId type;
    uint64_t offset;
    std::string key, name, category, json;
  };
  // Ids share the window's lanes, and the slots that remember their last ends.
  static constexpr size_t kWindowLanes = 1 << 10, kLastEnds = 1 << 12;
  struct LastEnd {
    uint64_t key = 0;  // hash of the id
    Time time = Time::min();
  };

  auto take() {
    return [this](Event& event) { take(event); };
  }
  void take(Event& event);
  void begin(Event& event);
  void end(Event& event);
  void step(const Event& event);
  void end_step(Open& open, Time end, size_t depth);
  void give(const Step& step, const Open& open, Time end, size_t depth);
  void mark(const Event& event);
  static uint64_t bytes_of(const Event& event);
  static uint64_t bytes_of(const Step& step);
  bool close(const std::string& key, LaneId process, std::string_view name, Time time,
             uint64_t offset, std::string_view json);
  void emit(const Open& open, Time end, std::string_view json, size_t depth);
  // The innermost open state of the id, in the process; null: there is none.
  Open* innermost(const Event& event);
  // Approximate memory of an open state: most ids have one.
  static uint64_t bytes_of(const std::string& key, const Open& open);

  LaneTable& lanes_;
  Output& output_;
  WaitingMemory& waiting_memory_;
  stacks::TimeWindow<Event> window_;
  std::array<LastEnd, kLastEnds> last_ends_ = {};
  std::unordered_map<std::string, Stack> stacks_;
  std::vector<LateEnd> late_ends_;
};

}  // namespace weft::formats::chrome_json
