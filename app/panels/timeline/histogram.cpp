#include "app/panels/timeline/histogram.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "core/aggregate/columns.h"
#include "core/base/time_span.h"
#include "core/query/density.h"

namespace weft::app {
namespace {

constexpr double kMostStretch = 64;  // bounds the bins, however much is cut

}  // namespace

TimeRange Histogram::range_of(size_t bin) const {
  const auto length = static_cast<unsigned __int128>(length_of(range));
  const auto begin_of = [&](size_t i) {
    const auto offset = static_cast<uint64_t>(length * i / bins.size());
    return Time{static_cast<int64_t>(static_cast<uint64_t>(range.begin.ticks) + offset)};
  };
  return {begin_of(bin), begin_of(bin + 1)};
}

uint64_t Histogram::highest(DensityScale scale) const {
  constexpr double kLeastSeen = 0.1;
  const bool is_seen = height_share(most_hits, most, scale) >= kLeastSeen;
  return most_hits == 0 || is_seen ? most : most_hits;
}

Time Histogram::middle_of(size_t bin) const {
  const TimeRange range = range_of(bin);
  return range.begin + Duration{range.length().ticks / 2};
}

// Found by the bins' own bounds, so that they are never a rounding apart.
size_t Histogram::bin_at(Time time) const {
  const double fraction = TimeWindow::from_range(range).fraction_from_time(time);
  const auto count = static_cast<double>(bins.size());
  auto bin = static_cast<size_t>(std::clamp(fraction * count, 0.0, count - 1));
  while (bin > 0 && time < range_of(bin).begin) --bin;
  while (bin + 1 < bins.size() && time >= range_of(bin).end) ++bin;
  return bin;
}

HistogramKey histogram_key(store::TracePtr trace, const TimeAxis& axis, TimeRange range,
                           float bin_px) {
  // If time is cut, bins are narrower than they would be without cuts.
  const double stretch = std::min(kMostStretch, axis.window.length / axis.folded.length);
  const auto length = static_cast<double>(length_of(range));
  const double share = std::min(1.0, length / axis.window.length);  // of the axis, that it covers
  const double bins =
      std::max(1.0, std::floor(static_cast<double>(axis.width / bin_px) * share * stretch));
  aggregate::GridSpan grid;
  while (grid.level < 62 && std::ldexp(bins, grid.level) < length) ++grid.level;
  grid.first = range.begin.ticks >> grid.level;
  const int64_t last = std::max(range.begin.ticks, saturating_sub(range.end.ticks, 1));
  grid.count = static_cast<uint32_t>((last >> grid.level) - grid.first) + 1;
  return {std::move(trace), grid.range(), grid.count};
}

namespace {

// Judged on a grid that depends on the trace alone: a picture keeps its scale however wide it is.
bool has_spikes(const Histogram& histogram) {
  constexpr uint64_t kParts = 256, kDwarfing = 8;
  int level = 0;
  while (length_of(histogram.trace->range()) >> level > kParts) ++level;
  std::vector<uint64_t> filled;
  int64_t last_part = 0;
  for (size_t i = 0; i < histogram.bins.size(); ++i) {
    if (histogram.bins[i] == 0) continue;
    const int64_t part = histogram.range_of(i).begin.ticks >> level;
    if (filled.empty() || part != last_part) filled.push_back(0);
    filled.back() += histogram.bins[i];
    last_part = part;
  }
  if (filled.empty()) return false;
  const uint64_t most = std::ranges::max(filled);
  const auto usual = filled.begin() + static_cast<ptrdiff_t>((filled.size() - 1) * 9 / 10);
  std::ranges::nth_element(filled, usual);
  return most > kDwarfing * *usual;  // which nine of ten do not exceed
}

}  // namespace

std::optional<Histogram> make_histogram(const HistogramKey& key, const query::Work& work) {
  query::Selection selection = query::Selection::all(*key.trace);
  selection.range = key.range;
  Histogram histogram;
  histogram.trace = key.trace;
  histogram.range = key.range;
  const auto count = [&] { return query::density(*key.trace, selection, key.bins, work); };
  if (!key.hides) histogram.bins = count();
  if (key.filter) {
    selection.filter = key.filter;
    histogram.hits = count();
  }
  if (work.stop.stop_requested()) return std::nullopt;
  if (key.hides) histogram.bins = std::exchange(histogram.hits, {});
  for (const uint64_t count : histogram.bins) {
    histogram.most = std::max(histogram.most, count);
    histogram.total += count;
  }
  if (!histogram.hits.empty()) histogram.most_hits = std::ranges::max(histogram.hits);
  histogram.has_spikes = has_spikes(histogram);
  return histogram;
}

BarColors bar_colors(const PanelInput& input) {
  return {input.theme.bars, blended(input.theme.bars, input.theme.background, 0.35F)};
}

void use_filter(const PanelInput& input, HistogramKey& key) {
  key.filter = input.filter.tiles().filter;
  key.hides = key.filter && input.filter.hides();
}

void append_bars(const Histogram& histogram, const TimeAxis& axis, float bottom, float height,
                 DensityScale scale, const BarColors& colors, render::DrawBatch& batch) {
  const uint64_t highest = histogram.highest(scale);
  const auto x_of = [&](Time t) {
    return std::round(static_cast<float>(axis.x_from_time(t)) - axis.x0);
  };
  for (size_t i = 0; i < histogram.bins.size(); ++i) {
    if (histogram.bins[i] == 0) continue;
    const TimeRange range = histogram.range_of(i);
    const bool is_in_sight = axis.x_from_time(range.end) > axis.x0 &&
                             axis.x_from_time(range.begin) < axis.x0 + axis.width;
    if (!is_in_sight) continue;
    // A bin of which less than a pixel is in sight has that pixel.
    const float x0 = std::min(x_of(range.begin), axis.width - 1);
    const float air = 1;  // between bars
    const float x1 = std::max({x0 + 1, x_of(range.end) - air, 1.0F});
    const auto add = [&](uint64_t events, render::Color color) {
      if (events == 0) return;
      const auto share =
          static_cast<float>(height_share(std::min(events, highest), highest, scale));
      const float top = std::floor(bottom - std::max(1.0F, share * height));
      batch.boxes.push_back({x0, top, x1, bottom, color, 0});
    };
    const bool has_hits = !histogram.hits.empty();
    add(histogram.bins[i], has_hits ? colors.rest : colors.bars);
    if (has_hits) add(histogram.hits[i], colors.bars);
  }
}

}  // namespace weft::app
