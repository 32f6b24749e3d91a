// Marks of the filter's hits: a strip of marks whose height grows with the logarithm of the number
// of hits that begin in a pixel. Exact: every hit is in a mark, and the tooltip of a mark tells its
// count.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>

#include "app/panels/timeline/histogram.h"
#include "app/panels/timeline/time_axis.h"
#include "core/base/latest.h"

namespace weft::app {

// Hits counted in equal parts of time, in order.
struct HitBins {
  size_t count = 0;
  std::function<TimeRange(size_t)> range;
  std::function<uint64_t(size_t)> hits;
};

// Counts the hits of the view's filter along a time axis, on a worker, in bins at least as wide as
// a mark.
class HitFinder {
 public:
  explicit HitFinder(const PanelServices& services);
  // The bins; nullopt if there is no filter, or if its hits are not known yet.
  std::optional<HitBins> find(const PanelInput& input, const TimeAxis& axis, PanelOutput& output);

 private:
  Latest<HistogramKey, Histogram> hits_;
};

// Call within an ImGui window; the marks stand on the strip's lower edge. O(bins).
void draw_hit_marks(const PanelInput& input, const TimeAxis& axis, const Area& strip,
                    const HitBins& bins);

}  // namespace weft::app
