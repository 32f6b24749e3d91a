// Events over time as bars: what the overview and the density panel draw.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "app/panels/timeline/time_axis.h"
#include "app/session/density_scale.h"
#include "core/aggregate/filter.h"
#include "core/base/thread_pool.h"
#include "core/store/trace.h"
#include "render/batch.h"

namespace weft::app {

struct HistogramKey {
  std::shared_ptr<const store::Trace> trace;
  TimeRange range;
  uint32_t bins = 1;
  aggregate::FilterPtr filter = {};  // null: there is none
  bool hides = false;                // only what passes is counted
  bool operator==(const HistogramKey&) const = default;
};

struct Histogram {
  std::shared_ptr<const store::Trace> trace;
  TimeRange range;
  std::vector<uint64_t> bins;  // events that begin in each; see query::density
  uint64_t most = 0;           // in one bin
  uint64_t total = 0;
  std::vector<uint64_t> hits;  // of them, those that pass the filter; empty: there is none

  // Exact: the i-th of bins.size() equal parts of the range.
  TimeRange range_of(size_t bin) const;
  Time middle_of(size_t bin) const;
  size_t bin_at(Time time) const;  // which is in the range
};

// Bins of at least `bin_px` over `range`, on the absolute power-of-two grid: panning does not make
// them shimmer, and no node of the tree straddles two, so that only upper lists are read. The first
// and the last bin may reach out of the range.
HistogramKey histogram_key(std::shared_ptr<const store::Trace> trace, const TimeAxis& axis,
                           TimeRange range, float bin_px);

// Touches mapped pages: work for workers. Under a filter it reads records, see query::density.
Histogram make_histogram(const HistogramKey& key, ThreadPool& pool);

// How bars are drawn; where there are hits, those stand out from the rest.
struct BarColors {
  render::Color bars = 0;
  render::Color rest = 0;
};

BarColors bar_colors(const PanelInput& input);
// The panel's filter for the key: nothing where it is off, or not known yet.
void use_filter(const PanelInput& input, HistogramKey& key);

// One bar per bin that is not empty, at least a pixel high, where its time lies on `axis`. x from
// the axis' left edge, y downwards; the bars stand on `bottom`.
void append_bars(const Histogram& histogram, const TimeAxis& axis, float bottom, float height,
                 DensityScale scale, const BarColors& colors, render::DrawBatch& batch);

}  // namespace weft::app
