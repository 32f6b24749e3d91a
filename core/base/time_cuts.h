// Time with stretches cut out: how a picture skips what is empty.
//
//   time    0 ....|#cut 1#|......|####cut 2####|....      ticks
//   folded  0 ....|......|....                           the same without the cuts
//
// A sorted list of disjoint ranges; the folded time of a tick is its time less all that was cut out
// before it, so between two cuts nothing changes but the origin. A tick within a cut lies where the
// cut is. Immutable and shared; exact; O(log cuts).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/base/time.h"

namespace weft {

class TimeCuts {
 public:
  TimeCuts() = default;
  // Sorted, disjoint, none empty.
  explicit TimeCuts(std::vector<TimeRange> cuts);

  std::span<const TimeRange> cuts() const { return cuts_; }
  Duration length() const { return {removed_.empty() ? 0 : removed_.back()}; }  // of all
  Time folded(Time t) const;
  // The inverse. Where a cut lies, its end; or its begin, for what ends there.
  Time unfolded(Time t) const;
  Time unfolded_end(Time t) const;
  // What is left of the range, in order.
  std::vector<TimeRange> pieces(TimeRange range) const;

  bool operator==(const TimeCuts&) const = default;

 private:
  std::vector<TimeRange> cuts_;
  std::vector<int64_t> removed_;  // ticks cut out before each, and one more: in all
};

}  // namespace weft
