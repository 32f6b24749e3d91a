// Round lengths below a histogram of durations or latencies, whose bins may be of any widths.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/time.h"

namespace weft::layout {

struct LengthTick {
  int64_t length = 0;
  double x = 0;  // px from the first bin's left edge
  std::string label;
};

// Where a length lies on an axis of `width` px on which every bin is equally wide. `borders`: in
// ticks, ascending, one more than there are bins (at least one). Lengths outside lie at the ends.
double x_of_length(std::span<const int64_t> borders, double width, int64_t length);

// Labels, centred at their ticks, do not touch; `width_of` measures one in px. Where bins widen, 1,
// 2, 5 times powers of ten, or the powers alone; else, and where these are too few, multiples of
// one step. `label_of` says a length.
std::vector<LengthTick> length_ticks(std::span<const int64_t> borders, double width,
                                     const std::function<std::string(Duration)>& label_of,
                                     const std::function<double(std::string_view)>& width_of);

}  // namespace weft::layout
