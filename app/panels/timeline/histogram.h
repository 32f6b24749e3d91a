// Events over time as bars, for the overview and the density panel.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "app/panels/timeline/time_axis.h"
#include "app/session/density_scale.h"
#include "core/aggregate/filter.h"
#include "core/query/work.h"
#include "core/store/trace.h"
#include "render/batch.h"

namespace weft::app {

struct HistogramKey {
  store::TracePtr trace;
  TimeRange range;
  uint32_t bins = 1;
  aggregate::FilterPtr filter = {};  // null: no filter
  bool hides = false;                // only what passes is counted
  bool operator==(const HistogramKey&) const = default;
};

struct Histogram {
  store::TracePtr trace;
  TimeRange range;
  std::vector<uint64_t> bins;  // events that begin in each; see query::density
  uint64_t most = 0;           // the most in one bin
  bool has_spikes = false;     // a few stretches of the trace dwarf all others with events
  uint64_t total = 0;
  std::vector<uint64_t> hits;  // of these, those that pass the filter; empty: no filter
  uint64_t most_hits = 0;      // the most of them in one bin

  // What the greatest height stands for: `most`, or the most hits where these would be a line at
  // the bottom; higher bars are cut there.
  uint64_t highest(DensityScale scale) const;
  // The exact range of a bin: one of bins.size() equal parts of `range`.
  TimeRange range_of(size_t bin) const;
  Time middle_of(size_t bin) const;
  size_t bin_at(Time time) const;  // `time` must be in the range
};

// Bins of at least `bin_px` over `range`, on the absolute power-of-two grid: panning does not make
// them flicker, and no node of the tree spans two of them, so that only upper lists are read. The
// first and the last bin may reach beyond the range.
HistogramKey histogram_key(store::TracePtr trace, const TimeAxis& axis, TimeRange range,
                           float bin_px);

// Counts the events of each bin. Worker threads only: touches mapped pages. With a filter, it reads
// records; see query::density. nullopt if it was stopped.
std::optional<Histogram> make_histogram(const HistogramKey& key, const query::Work& work);

// The colours of bars: `bars` for all events or, with a filter, for hits, and `rest` for the
// others.
struct BarColors {
  render::Color bars = 0;
  render::Color rest = 0;
};

BarColors bar_colors(const PanelInput& input);
// Sets the panel's filter in the key; none if it is off, or not known yet.
void use_filter(const PanelInput& input, HistogramKey& key);

// Appends one bar for each bin that is not empty, at least a pixel high, at its time on `axis`. x
// counts from the axis' left edge, y downwards; the bars stand on `bottom`.
void append_bars(const Histogram& histogram, const TimeAxis& axis, float bottom, float height,
                 DensityScale scale, const BarColors& colors, render::DrawBatch& batch);

}  // namespace weft::app
