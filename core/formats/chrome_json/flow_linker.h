// Flow events (s/t/f) → links.
//
// A flow runs from its "s" over any "t" to its "f" (same category, name and id); each step is one
// link from the lane and time of one to those of the next. An end binds to the state around it, or,
// for an "f" without "bp":"e", to the next state on its lane: then the link lands on that state's
// begin. A step that lacks its source or target becomes a link without it: that is information, not
// damage. An end that comes before its source in the text finds it later.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/formats/chrome_json/chunk.h"
#include "core/formats/chrome_json/output.h"

namespace weft::formats::chrome_json {

class FlowLinker {
 public:
  FlowLinker(Output& output, size_t most_open) : output_(output), most_open_(most_open) {}

  // `is_landed`: event.time (an end's own, or where it landed) is final; otherwise it is so only
  // when land() finds the next state.
  void add(const KeyedEvent& event, LaneId process, LaneId lane, EventTypeId type,
           std::string_view json, Time landing, bool is_landed);

  // A state that begins on the lane: ends that wait there, from before it, land on it.
  bool is_waited_for(LaneId lane) const { return waiting_.contains(lane.value()); }
  bool is_anything_awaited() const { return !waiting_.empty(); }
  void land(LaneId lane, Time begin);

  void finish();

 private:
  struct End {     // a point of a flow: where it leaves or arrives
    Time time;     // as written
    Time landing;  // where the link is drawn to
    LaneId lane;
    EventTypeId type;
    uint64_t offset;
    std::string json;
    bool is_step;  // "t": it also leaves
    bool is_landed;
  };
  // Bounds what one hostile id or lane can cost; beyond it the oldest is given up.
  static constexpr size_t kMostEarly = 256;

  struct Flow {
    bool is_open = false;
    End source;
    std::deque<End> early_ends;
  };
  struct WaitingLink {
    trace::LinkEvent link;
    Time from;
  };

  void leave(Flow& flow, End source);
  bool arrive(Flow& flow, const End& end);
  void link(const End* source, const End* target);

  Output& output_;
  const size_t most_open_;
  std::unordered_map<std::string, Flow> flows_;
  std::unordered_map<uint32_t, std::vector<WaitingLink>> waiting_;  // by lane
};

}  // namespace weft::formats::chrome_json
