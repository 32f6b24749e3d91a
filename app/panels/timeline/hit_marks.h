// Where the hits of the filter lie: a strip of marks whose height grows with the logarithm of how
// many hits begin in a pixel. Exact: every hit is in a mark, and a mark tells its count.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>

#include "app/panels/timeline/histogram.h"
#include "app/panels/timeline/time_axis.h"
#include "render/latest.h"

namespace weft::app {

// Hits counted in equal parts of time, in order.
struct HitBins {
  size_t count = 0;
  std::function<TimeRange(size_t)> range;
  std::function<uint64_t(size_t)> hits;
};

// The hits of the view's filter along a time axis, in bins at least as wide as a mark; counted by a
// worker.
class HitFinder {
 public:
  explicit HitFinder(const PanelServices& services);
  // Nothing where there is no filter, or where its hits are not known yet.
  std::optional<HitBins> find(const PanelInput& input, const TimeAxis& axis, PanelOutput& output);

 private:
  render::Latest<HistogramKey, Histogram> hits_;
};

// Within the current ImGui window; the marks stand on the strip's lower edge. O(bins).
void draw_hit_marks(const PanelInput& input, const TimeAxis& axis, const Area& strip,
                    const HitBins& bins);

}  // namespace weft::app
