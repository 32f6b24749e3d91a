// The samples of one thread, whose lengths the file does not say: each lasts until the next where
// that is near, otherwise for one interval, so that a thread that slept is not drawn running.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/formats/stacks/stack_timeline.h"

namespace weft::formats::stacks {

class SampledStacks {
 public:
  // An interval of 0 is not known: the gaps between samples tell. It is their lower quartile: perf
  // takes the first samples of a thread far too close together, timers are late at times, and most
  // of what lies between the samples of a thread that sleeps is long. The first few samples wait
  // for it.
  SampledStacks(StackTimeline& timeline, LaneId lane, Duration interval = {})
      : timeline_(timeline), lane_(lane), interval_(interval), is_known_(interval.ticks > 0) {}

  // Frames from the outermost to the innermost; none: nothing ran.
  void add(Time time, std::span<const EventTypeId> frames);
  // Gives the last ones.
  void finish();

 private:
  struct Sample {
    Time time;
    std::vector<EventTypeId> frames;
    Duration gap;  // to the next
  };

  void end_last(Duration gap);
  void learn(Duration gap);
  void take_quartile();
  void give(const Sample& sample);
  void give_first();

  static constexpr size_t kFirst = 32;  // samples that wait
  static constexpr size_t kGaps = 64;   // the last ones, of which the interval is taken

  StackTimeline& timeline_;
  LaneId lane_;
  Duration interval_;
  bool is_known_;
  bool waits_ = !is_known_;    // for the interval
  Sample last_;                // without frames where nothing ran
  std::vector<Sample> first_;  // those that wait
  std::array<int64_t, kGaps> gaps_{};
  size_t gaps_seen_ = 0;
};

}  // namespace weft::formats::stacks
