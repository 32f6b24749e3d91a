// The samples of one thread, without durations: each lasts until the next if that is near,
// otherwise for one interval, so that a sleeping thread is not drawn running.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/formats/stacks/stack_timeline.h"

namespace weft::formats::stacks {

class SampledStacks {
 public:
  // An interval of 0 is estimated as the lower quartile of the gaps between samples: perf takes a
  // thread's first samples far too close together, timers are sometimes late, and most gaps of a
  // sleeping thread are long. The first few samples wait for it.
  SampledStacks(StackTimeline& timeline, LaneId lane, Duration interval = {})
      : timeline_(timeline), lane_(lane), interval_(interval), is_known_(interval.ticks > 0) {}

  // Frames from outermost to innermost; none: nothing ran. `is_held`: the sample before it is known
  // to last until this one.
  void add(Time time, std::span<const EventTypeId> frames, bool is_held = false);
  // Gives the last samples. `of_others`: the interval, if these are too few to tell it.
  void finish(Duration of_others = {});
  // The interval; 0: there are too few samples to tell it.
  Duration told_interval();

 private:
  struct Sample {
    Time time;
    std::vector<EventTypeId> frames;
    Duration gap;          // to the next sample
    bool is_held = false;  // lasts until it, however long that is
  };

  bool are_few() const { return !is_known_ && gaps_seen_ < kEnoughGaps; }
  void end_last(Duration gap, bool is_held);
  void learn(Duration gap);
  void take_quartile();
  void give(const Sample& sample);
  void give_first();

  static constexpr size_t kFirst = 32;  // samples held back
  static constexpr size_t kEnoughGaps = 8;
  static constexpr size_t kGaps = 64;  // latest gaps, from which the interval is estimated

  StackTimeline& timeline_;
  LaneId lane_;
  Duration interval_;
  bool is_known_;
  bool waits_ = !is_known_;    // until the interval is known
  Sample last_;                // without frames if nothing ran
  std::vector<Sample> first_;  // samples held back
  std::vector<int64_t> gaps_;  // at most kGaps
  size_t gaps_seen_ = 0;
};

// Finishes the threads of one recording. Those with too few samples to tell the interval have that
// of the others, or `interval`, if it is known.
void finish_all(std::span<SampledStacks* const> threads, Duration interval = {});

}  // namespace weft::formats::stacks
