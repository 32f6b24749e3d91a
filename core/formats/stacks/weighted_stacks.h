// Stacks with weights but no times: laid side by side in order of arrival, as wide as their
// weights.
#pragma once

#include <cstdint>
#include <span>

#include "core/formats/stacks/stack_timeline.h"

namespace weft::formats::stacks {

class WeightedStacks {
 public:
  WeightedStacks(StackTimeline& timeline, LaneId lane) : timeline_(timeline), lane_(lane) {}

  // Adds a stack; frames from outermost to innermost. A weight of 0 or less takes no room.
  void add(std::span<const EventTypeId> frames, int64_t weight) {
    if (weight <= 0) return;
    const Time end{saturating_add(now_.ticks, weight)};
    timeline_.add(lane_, frames, now_, end);
    now_ = end;
  }
  // Where the next stack begins.
  Time now() const { return now_; }
  LaneId lane() const { return lane_; }

 private:
  StackTimeline& timeline_;
  LaneId lane_;
  Time now_;
};

}  // namespace weft::formats::stacks
