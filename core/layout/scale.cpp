#include "core/layout/scale.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace weft::layout {
namespace {

int level_for(double ticks_per_px) {
  if (ticks_per_px * kSingleTickPx <= 1) return kSingleTicksLevel;
  const double ticks = ticks_per_px * kMinVisiblePx;
  int level =
      ticks <= 1 ? 0 : std::clamp(static_cast<int>(std::ceil(std::log2(ticks))), 0, kMaxLevel);
  // log2 may be off by a rounding at powers of two.
  while (level < kMaxLevel && std::ldexp(1.0, level) < ticks) ++level;
  while (level > 0 && std::ldexp(1.0, level - 1) >= ticks) --level;
  return level;
}

}  // namespace

TimeScale::TimeScale(TimeRange view, double width_px)
    : view_(view), width_px_(std::max(1.0, width_px)) {
  if (view_.is_empty()) view_.end = view_.begin + Duration{1};
  ticks_per_px_ = std::max(1.0, static_cast<double>(view_.length().ticks)) / width_px_;
  level_ = level_for(ticks_per_px_);
}

double TimeScale::x_from_time(Time t) const {
  return static_cast<double>((t - view_.begin).ticks) / ticks_per_px_;
}

Time TimeScale::time_from_x(double x) const {
  const double ticks = std::floor(x * ticks_per_px_);
  constexpr double kLimit = 9.2e18;
  return view_.begin + Duration{static_cast<int64_t>(std::clamp(ticks, -kLimit, kLimit))};
}

double TimeScale::px_from_duration(Duration d) const {
  return static_cast<double>(d.ticks) / ticks_per_px_;
}

}  // namespace weft::layout
