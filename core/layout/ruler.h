// Ticks of a time axis at round distances (1, 2, 5 times a power of ten), labelled so that no two
// labels touch.
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
  std::string label;  // of major ticks: the time since `origin`
};

// `origin` is time 0 of the labels (the trace's begin); `width_of` measures a label in px. Ticks
// lie at multiples of the step from the origin. At most one tick per 4 px.
std::vector<RulerTick> ruler_ticks(const TimeScale& scale, Time origin, TimeBase base,
                                   const std::function<double(std::string_view)>& width_of);

inline constexpr int64_t kLargestPower = 1'000'000'000'000'000'000;  // of ten, in ticks

// The smallest of 1, 2, 5 times a power of ten that is at least `ticks`; at most kLargestPower.
Duration nice_step(double ticks);

}  // namespace weft::layout
