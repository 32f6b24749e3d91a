// Ticks of a time axis at round distances (1, 2, 5 times a power of ten, or those of a clock),
// labelled so that no two labels touch.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/time.h"
#include "core/layout/scale.h"

namespace weft::layout {

struct RulerTick {
  Time time;
  double x = 0;  // px from the view's left edge
  bool is_major = false;
  std::string label;  // of major ticks
};

// How an axis is divided and labelled.
struct RulerStyle {
  Time origin;  // time 0 of the labels: ticks lie at multiples of the step from here
  std::function<std::string(Time, Duration step)> label_of;
  std::function<double(std::string_view)> width_of;  // of a label in px
  // Non-zero: steps above ten seconds are those of a clock (15 s, 30 s, 1 min, … 12 h, 1 d, 2 d, 5
  // d, …). 0: powers of ten throughout.
  int64_t clock_ticks_per_second = 0;
  // Returns the first calendar step at or after a time, for steps above an hour, since days with a
  // change of daylight saving differ in length. Steps above days are those of a calendar: a week, a
  // month, three, six, a year, two years, five, … (kWeekDays, kMonthDays, kYearDays). Null: all
  // steps are multiples from the origin.
  std::function<Time(Time, Duration step)> calendar = {};
};

// Returns the ticks of a view, at most one per 4 px.
std::vector<RulerTick> ruler_ticks(const TimeScale& scale, const RulerStyle& style);

inline constexpr int64_t kLargestPower = 1'000'000'000'000'000'000;  // of ten, in ticks

// The smallest of 1, 2, 5 times a power of ten that is at least `ticks`; at most kLargestPower.
Duration nice_step(double ticks);

}  // namespace weft::layout
