// Begins and ends of states ("B" and "E") that lie in different chunks, or in the wrong order.
//
// Within a lane an end closes the innermost open begin, as long as it does not lie before it. Ends
// that found no begin and begins that found no end are kept, and paired by time when the trace is
// over: so a file whose events are not in order of time is read as if they were, wherever its order
// leaves no doubt.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/formats/general/chrome_json/output.h"
#include "core/formats/general/chrome_json/waiting_memory.h"

namespace weft::formats::chrome_json {

class StackPairing {
 public:
  StackPairing(Output& output, WaitingMemory& waiting)
      : output_(output), waiting_memory_(waiting) {}

  struct Begin {
    Time time;
    uint64_t offset;
    EventTypeId type;
    uint32_t name;     // its tag
    std::string json;  // parameters
  };
  struct End {
    Time time;
    uint64_t offset;
    uint32_t name;
    std::string json;
  };
  // Stands for a name as it is written, of which millions may be kept; 0: there is none.
  static uint32_t tag_of(std::string_view name);

  void begin(LaneId lane, Begin begin);
  // Whether it closed one of the begins given. `is_early`: known to lie before the begin it would
  // close.
  bool end(LaneId lane, End end, bool is_early);
  size_t depth(LaneId lane) const;

  // Pairs what is left by time; states without an end last until `end`, and are noted: a trace that
  // was stopped while its program ran has them.
  void finish(Time end);

 private:
  struct Lane {
    std::vector<Begin> stack;
    std::vector<End> late_ends;
  };
  void emit(LaneId lane, const Begin& begin, Time end, std::string_view end_json, size_t depth);
  void finish_lane(LaneId id, Lane& lane, Time end);

  Output& output_;
  WaitingMemory& waiting_memory_;
  std::map<LaneId, Lane> lanes_;
};

}  // namespace weft::formats::chrome_json
