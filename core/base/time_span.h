// Differences of times that may lie more than 2^63 ticks apart, unsigned or as floating point
// numbers. Durations saturate there: what is drawn or shared out over a whole trace must not.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "core/base/saturating.h"
#include "core/base/time.h"

namespace weft {

// `to` is not less than `from`.
constexpr uint64_t distance(int64_t from, int64_t to) {
  return static_cast<uint64_t>(to) - static_cast<uint64_t>(from);
}
constexpr uint64_t distance(Time from, Time to) { return distance(from.ticks, to.ticks); }
constexpr uint64_t length_of(TimeRange range) { return distance(range.begin, range.end); }

// Negative if `to` is earlier.
constexpr double ticks_between(Time from, Time to) {
  return to >= from ? static_cast<double>(distance(from, to))
                    : -static_cast<double>(distance(to, from));
}

// Rounded down; saturating.
inline Time time_after(Time from, double ticks) {
  constexpr double kBeyondAll = 0x1p65;
  const auto shift = static_cast<Wide>(std::clamp(std::floor(ticks), -kBeyondAll, kBeyondAll));
  const Wide sum = from.ticks + shift;
  return {saturated(sum)};
}

}  // namespace weft
