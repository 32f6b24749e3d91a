// Flows: what one event sets off in others → links. A flow goes from event to event; each leg is a
// link. Writers stand one after the other in a trace, so the parts are put in order of time first.
//
// Memory: parts that wait to be in order, and flows that may go on, of which the oldest are given
// up when there are too many.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <unordered_map>
#include <vector>

#include "core/formats/general/chrome_json/output.h"
#include "core/formats/stacks/time_order.h"

namespace weft::formats::perfetto {

struct FlowId {
  uint64_t id = 0;
  uint64_t scope = 0;  // ids of different scopes have nothing to do with each other
  bool operator==(const FlowId&) const = default;
};

enum class FlowPart : uint8_t {
  kBegin,         // begins here, whatever was before
  kStep,          // begins here, or goes on from here
  kEnd,           // comes to an end here
  kArrive,        // arrives here, and may arrive elsewhere, too
  kArriveAtNext,  // the same at the next event of the lane
};

struct FlowRef {
  FlowId flow;
  EventTypeId type = EventTypeId::none();  // of its links
  FlowPart part = FlowPart::kStep;
  ParamsId params =
      ParamsId::none();  // of the link from here, or to here where it comes from nowhere
};

class Flows {
 public:
  Flows(chrome_json::Output& output, uint64_t memory_bytes);

  // `offset` is for what is lost.
  void add(const FlowRef& ref, Time time, LaneId lane, uint64_t offset);
  // An event begins on the lane: what waits for it goes there. In the order of the lane.
  void land(LaneId lane, Time time);
  bool is_anything_awaited() const { return awaited_ > 0; }
  void finish();

 private:
  struct IdHash {
    size_t operator()(const FlowId& id) const {
      constexpr uint64_t kOdd = 0x9E3779B97F4A7C15;
      return (id.id * kOdd) ^ (id.scope * kOdd >> 7);
    }
  };
  struct Part {
    Time time{};
    FlowRef ref;
    LaneId lane = LaneId::none();
  };
  struct Point {
    Time time;
    LaneId lane;
    EventTypeId type;
    ParamsId params;
    bool is_linked = false;  // to what came after it
  };
  void wait(const Part& part);
  void arrive(const Part& part);
  void link(const Point* from, const Point* to);
  void give_up_oldest();

  chrome_json::Output& output_;
  const size_t most_open_;
  stacks::TimeOrder<Part> order_;
  std::unordered_map<FlowId, Point, IdHash> open_;
  std::deque<FlowId> in_order_;  // of their begins; those that ended may be among them
  std::unordered_map<uint32_t, std::vector<Part>> at_next_;  // by lane
  size_t awaited_ = 0;
};

}  // namespace weft::formats::perfetto
