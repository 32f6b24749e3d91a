// Maps times to pixels, and selects the grid level for a view.
//
// Times are int64 ticks; pixels are doubles from the left edge of the view. The view's origin is
// subtracted in integers first, so a picture of nanoseconds in the year 2262 is as sharp as one at
// 0.
//
// If time is cut (core/base/time_cuts.h), the scale is linear in each segment, with the same ticks
// per pixel in all, and cuts have no width. Code that draws columns iterates over segments();
// everything else just maps.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/base/time.h"
#include "core/base/time_cuts.h"

namespace weft::layout {

// An element narrower than this collapses: a column of the grid is at least this wide. It is a hair
// more than a pixel, so that every column contains a pixel's centre in spite of float rounding: a
// column without one would be an event that nobody sees.
inline constexpr double kMinVisiblePx = 1.0 + 1.0 / 1024;

// One level below 0: again a grid of single ticks, used when a tick is so wide that every state is
// listed individually.
inline constexpr int kSingleTicksLevel = -1;
inline constexpr int kMaxLevel = 62;

class TimeScale {
 public:
  // An empty or reversed view counts as one tick long, a width below 1 as 1. `cuts` may be null.
  TimeScale(TimeRange view, double width_px, std::shared_ptr<const TimeCuts> cuts = nullptr);

  TimeRange view() const { return view_; }
  double width_px() const { return width_px_; }
  double ticks_per_px() const { return ticks_per_px_; }

  double x_from_time(Time t) const;
  Time time_from_x(double x) const;           // rounded down; saturating
  double px_from_duration(Duration d) const;  // within one segment

  // The parts of the view between its cuts, in order; a single one without cuts.
  struct Segment {
    TimeRange range;
    double x0 = 0, x1 = 0;
  };
  std::vector<Segment> segments() const;

  // The smallest level whose columns of 2^level ticks are at least kMinVisiblePx wide (so less than
  // twice that, except at level 0); kSingleTicksLevel if a tick is at least kSingleTickPx wide.
  int level() const { return level_; }
  // The smallest level, at least 0, whose columns are at least `px` wide.
  int level_of(double px) const;

 private:
  Time folded(Time t) const { return cuts_ ? cuts_->folded(t) : t; }

  TimeRange view_;
  std::shared_ptr<const TimeCuts> cuts_;
  Time folded_begin_;
  double width_px_;
  double ticks_per_px_;
  int level_;
};

inline constexpr double kSingleTickPx = 8;

// Ticks per column. kSingleTicksLevel: 1.
constexpr Duration column_width(int level) { return {int64_t{1} << (level < 0 ? 0 : level)}; }
// The column of the absolute grid that holds `t`.
constexpr int64_t column_of(Time t, int level) { return t.ticks >> (level < 0 ? 0 : level); }
constexpr Time time_of_column(int64_t column, int level) {
  int64_t r = 0;
  if (!__builtin_mul_overflow(column, column_width(level).ticks, &r)) return {r};
  return column < 0 ? Time::min() : Time::max();
}

}  // namespace weft::layout
