// Events that begin and end by id: asynchronous states (b/n/e, the older S/T/p/F) and the lives of
// objects (N/O/D) → states and punctual events on lanes of their own.
//
// States of one id nest; an end ends the innermost open state of its name, in its own process first
// (a plain "id" may cross processes). An end that comes before its begin in the text finds it at
// the end of the trace.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/formats/general/chrome_json/chunk.h"
#include "core/formats/general/chrome_json/lane_table.h"
#include "core/formats/general/chrome_json/output.h"
#include "core/formats/general/chrome_json/waiting_memory.h"

namespace weft::formats::chrome_json {

class AsyncTracker {
 public:
  AsyncTracker(LaneTable& lanes, Output& output, WaitingMemory& waiting)
      : lanes_(lanes), output_(output), waiting_memory_(waiting) {}

  // `json`: the event's parameters as text.
  void add(const KeyedEvent& event, LaneId process, EventTypeId type, std::string_view json);

  // Ends what is open at `end`, the end of the trace.
  void finish(Time end);

 private:
  struct Open {
    Time begin;
    LaneId process;
    LaneId lane;
    EventTypeId type;
    uint64_t offset;
    std::string name;
    std::string json;
    bool is_object;
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
  static constexpr size_t kMostSearched = 1000;  // open states of one id that an end looks at

  void begin(const KeyedEvent& event, LaneId process, EventTypeId type, std::string_view json);
  void end(const KeyedEvent& event, LaneId process, EventTypeId type, std::string_view json);
  void mark(const KeyedEvent& event, LaneId process, EventTypeId type, std::string_view json);
  bool close(const std::string& key, LaneId process, std::string_view name, Time time,
             uint64_t offset, std::string_view json);
  void emit(const Open& open, Time end, std::string_view json, size_t depth);
  const Open* innermost(const std::string& key) const;
  // What a state that is open holds, about: most ids have one.
  static uint64_t bytes_of(const std::string& key, const Open& open);

  LaneTable& lanes_;
  Output& output_;
  WaitingMemory& waiting_memory_;
  std::unordered_map<std::string, Stack> stacks_;
  std::vector<LateEnd> late_ends_;
};

}  // namespace weft::formats::chrome_json
