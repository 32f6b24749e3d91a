#include "core/layout/scale.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/time_span.h"

namespace weft::layout {

TimeScale::TimeScale(TimeRange view, double width_px, std::shared_ptr<const TimeCuts> cuts)
    : view_(view), cuts_(std::move(cuts)), width_px_(std::max(1.0, width_px)) {
  if (view_.is_empty()) view_.end = view_.begin + Duration{1};
  folded_begin_ = folded(view_.begin);
  const double length = ticks_between(folded_begin_, folded(view_.end));
  ticks_per_px_ = std::max(1.0, length) / width_px_;
  level_ = ticks_per_px_ * kSingleTickPx <= 1 ? kSingleTicksLevel : level_of(kMinVisiblePx);
}

int TimeScale::level_of(double px) const {
  const double ticks = ticks_per_px_ * px;
  int level =
      ticks <= 1 ? 0 : std::clamp(static_cast<int>(std::ceil(std::log2(ticks))), 0, kMaxLevel);
  // log2 may be off by a rounding at powers of two.
  while (level < kMaxLevel && std::ldexp(1.0, level) < ticks) ++level;
  while (level > 0 && std::ldexp(1.0, level - 1) >= ticks) --level;
  return level;
}

double TimeScale::x_from_time(Time t) const {
  return ticks_between(folded_begin_, folded(t)) / ticks_per_px_;
}

Time TimeScale::time_from_x(double x) const {
  const Time t = time_after(folded_begin_, x * ticks_per_px_);
  return cuts_ ? cuts_->unfolded(t) : t;
}

std::vector<TimeScale::Segment> TimeScale::segments() const {
  if (!cuts_) return {{view_, 0, width_px_}};
  std::vector<Segment> segments;
  for (const TimeRange& range : cuts_->pieces(view_)) {
    segments.push_back({range, x_from_time(range.begin), x_from_time(range.end)});
  }
  return segments;
}

double TimeScale::px_from_duration(Duration d) const {
  return static_cast<double>(d.ticks) / ticks_per_px_;
}

}  // namespace weft::layout
