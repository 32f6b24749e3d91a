// Flow events (s/t/f), and states that say "flow_out" and "flow_in" with a "bind_id" → links.
//
// A flow runs from its "s" over any "t" to its "f" (same category, name and id); each step is one
// link from the lane and time of one to those of the next. Some programs name each end after what
// it lies in: those that are left over at the end go together by category and id alone. An end
// binds to the state around it, or, for an "f" without "bp":"e", to the next state on its lane:
// then the link lands on that state's begin. A step that lacks its source or target becomes a link
// without it: that is information, not damage. A numeric id is the first of the link's parameters
// (trace/message_id.h). The points of a flow are put in order of time as far as a window reaches
// (stacks/time_window.h); an end that stands further before its source finds it, too. A flow of
// states goes by its "bind_id" alone; one that leaves may arrive at several.
#pragma once

#include <cstdint>
#include <deque>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/formats/general/chrome_json/chunk.h"
#include "core/formats/general/chrome_json/output.h"
#include "core/formats/general/chrome_json/waiting_memory.h"
#include "core/formats/stacks/time_window.h"

namespace weft::formats::chrome_json {

class FlowLinker {
 public:
  FlowLinker(Output& output, WaitingMemory& waiting) : output_(output), waiting_memory_(waiting) {}

  // `landing` is where an end binds; unless `is_landed`, only land() will tell.
  void add(const KeyedEvent& event, LaneId process, LaneId lane, EventTypeId type,
           std::string_view json, Time landing, bool is_landed);

  // Whether ends wait on this lane (on any lane) for the next state.
  bool is_awaited(LaneId lane) const { return waiting_.contains(lane.value()); }
  bool is_anything_awaited() const { return !waiting_.empty(); }
  // Call, in the order of the input, when a state begins on the lane: earlier ends that wait there
  // land on it.
  void land(LaneId lane, Time begin);

  // Gives what waits to be put in order.
  void give_held();
  void finish();

 private:
  // Where an end binds, and the link that waits for it.
  struct Landing {
    Time time;  // before landing: the earliest time
    bool is_landed;
    std::optional<trace::LinkEvent> link;
  };
  struct End {  // a point of a flow: where it leaves or arrives
    Time time;  // as written
    LaneId lane;
    EventTypeId type;
    uint64_t offset = 0;
    std::string json;
    std::string id;                    // as written, where it is a number
    uint32_t nameless = 0;             // how much of the flow's key stands before its name
    bool is_step = false;              // "t": it also leaves
    bool is_bound = false;             // arrives, and others may arrive from the same source
    std::shared_ptr<Landing> landing;  // of what arrives
  };
  // Bounds the cost of a hostile id or lane; beyond it the oldest is given up.
  static constexpr size_t kMostKept = 256;

  struct Flow {
    bool is_open = false;
    bool is_received = false;  // open, but already received once
    End source;
    std::list<End> early_ends;
    std::list<End> unreceived;  // former sources: an end of another name may be theirs

    bool has_left() const { return !early_ends.empty() || !unreceived.empty(); }
  };
  using Flows = std::unordered_map<std::string, Flow>;
  struct Left {
    std::string_view flow;  // without its name
    const End* end;
    bool leaves;
  };
  struct Step {
    const End *source, *target;
  };
  static constexpr size_t kWindowLanes = 1 << 10;  // which flows share
  struct Point {
    Time time;
    uint32_t lane;    // of the window
    std::string key;  // of the flow
    End end;          // without a landing: it only leaves
  };
  // The points of a flow at one time, of which steps are in the window: "f" that come before them
  // wait, since a flow goes on from a step and not from its end.
  struct Moment {
    uint32_t steps = 0;
    std::vector<End> ends;
  };

  auto take() {
    return [this](Point& point) { take(point); };
  }
  void take(Point& point);
  void take_waiting(const std::string& key, Moment& moment);
  void take_source(const std::string& key, End source);
  void take_end(std::string key, End end);

  bool is_full(const std::string& key);
  Flow& flow_of(const std::string& key);
  void erase(Flows::iterator flow);
  void set_source(Flow& flow, End source);
  // `leaves`: they are sources.
  void keep(std::list<End>& ends, End end, bool leaves);
  static uint64_t bytes_of(const Flows::value_type& flow);  // without its early ends
  static uint64_t kept_bytes(const End& end);
  static uint64_t bytes_of(const Point& point);
  void leave(Flow& flow, End source);
  bool arrive(Flow& flow, const End& end);
  std::vector<Left> left_over() const;
  static std::vector<Step> steps_of(const std::vector<Left>& left);
  void link(const End* source, const End* target);
  void settle(Landing& landing, Time time);
  void await(LaneId lane, std::shared_ptr<Landing> landing);

  Output& output_;
  WaitingMemory& waiting_memory_;
  stacks::TimeWindow<Point> window_;
  std::unordered_map<uint64_t, Moment> moments_;  // by hash of the flow and the time
  Flows flows_;
  std::deque<std::string> received_;  // received flows that stay open, oldest first
  std::unordered_map<uint32_t, std::vector<std::shared_ptr<Landing>>> waiting_;  // by lane
};

}  // namespace weft::formats::chrome_json
