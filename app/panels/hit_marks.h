// Where the hits of the filter lie: a strip of marks whose height grows with the logarithm of how
// many hits begin in a pixel. Exact: every hit is in a mark, and a mark tells its count.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

#include "app/panels/time_axis.h"

namespace weft::app {

// Hits counted in equal parts of time, in order.
struct HitBins {
  size_t count = 0;
  std::function<TimeRange(size_t)> range;
  std::function<uint64_t(size_t)> hits;
};

// Within the current ImGui window; the marks stand on the strip's lower edge. O(bins).
void draw_hit_marks(const PanelInput& input, const TimeAxis& axis, const Area& strip,
                    const HitBins& bins);

}  // namespace weft::app
