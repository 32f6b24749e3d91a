// A time axis with ranges cut out, so that a picture can skip empty stretches.
//
//   time    0 ....|#cut 1#|......|####cut 2####|....      ticks
//   folded  0 ....|......|....                           the same without the cuts
//
// The cuts are a sorted list of disjoint ranges. The folded time of a tick is its time less
// everything cut out before it: between two cuts only the origin changes. A tick inside a cut maps
// to the point where the cut is. Immutable and shared; exact; O(log cuts).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/base/time.h"

namespace weft {

class TimeCuts {
 public:
  TimeCuts() = default;
  // `cuts` must be sorted, disjoint and not empty.
  explicit TimeCuts(std::vector<TimeRange> cuts);

  std::span<const TimeRange> cuts() const { return cuts_; }
  // Total length of all cuts.
  Duration length() const { return {removed_.empty() ? 0 : removed_.back()}; }
  Time folded(Time t) const;
  // The inverse of folded(). Where a cut lies, unfolded() gives its end and unfolded_end() its
  // begin, which is right for the end of a range.
  Time unfolded(Time t) const;
  Time unfolded_end(Time t) const;
  // Returns the parts of `range` outside the cuts, in order.
  std::vector<TimeRange> pieces(TimeRange range) const;

  bool operator==(const TimeCuts&) const = default;

 private:
  std::vector<TimeRange> cuts_;
  std::vector<int64_t> removed_;  // ticks cut out before each cut, then in total
};

}  // namespace weft
