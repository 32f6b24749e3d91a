// The samples of one thread, whose lengths the file does not say: each lasts until the next where
// that is near, otherwise for one interval, so that a thread that slept is not drawn running.
#pragma once

#include <span>
#include <vector>

#include "core/formats/stacks/stack_timeline.h"

namespace weft::formats::stacks {

class SampledStacks {
 public:
  // An interval of 0 is not known: the shortest gap so far stands for it.
  SampledStacks(StackTimeline& timeline, LaneId lane, Duration interval = {})
      : timeline_(timeline), lane_(lane), interval_(interval), is_given_(interval.ticks > 0) {}

  // Frames from the outermost to the innermost; none: nothing ran.
  void add(Time time, std::span<const EventTypeId> frames);
  // Gives the last one.
  void finish() { give(interval_); }

 private:
  void give(Duration gap);

  StackTimeline& timeline_;
  LaneId lane_;
  Duration interval_;
  bool is_given_;
  Time time_;                        // of the last sample
  std::vector<EventTypeId> frames_;  // of it
};

}  // namespace weft::formats::stacks
