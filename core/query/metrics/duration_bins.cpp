#include "core/query/metrics/duration_bins.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <utility>

#include "core/base/saturating.h"
#include "core/query/link_ends.h"
#include "core/query/metrics/log_bins.h"
#include "core/query/reduce.h"
#include "core/query/windows.h"

namespace weft::query {
namespace {

using FineBins = LogBins<7>;

// A quantile: which one it is, counted from 1, of the lengths that lie in a fine bin, and how many
// of these lie in each part of it.
struct Quantile {
  static constexpr uint64_t kParts = 4096;

  uint64_t least = 0;
  uint64_t most = 0;
  uint64_t rank = 0;
  std::vector<uint64_t> counts = std::vector<uint64_t>(kParts);

  uint64_t part_ticks() const { return (most - least) / kParts + 1; }
  void add(uint64_t length) {
    if (least <= length && length <= most) ++counts[(length - least) / part_ticks()];
  }
  // The last tick of the part that it lies in.
  uint64_t value() const {
    uint64_t passed = 0;
    for (uint64_t part = 0; part < kParts; ++part) {
      passed += counts[part];
      if (passed >= rank) return std::min(most, least + (part + 1) * part_ticks() - 1);
    }
    return most;
  }
};

struct Lengths {
  uint64_t count = 0;
  int64_t least = std::numeric_limits<int64_t>::max();
  int64_t least_above_0 = std::numeric_limits<int64_t>::max();
  int64_t most = 0;
  std::vector<uint64_t> fine = std::vector<uint64_t>(FineBins::kCount);

  void add(int64_t length) {
    ++count;
    least = std::min(least, length);
    if (length > 0) least_above_0 = std::min(least_above_0, length);
    most = std::max(most, length);
    ++fine[FineBins::of(static_cast<uint64_t>(length))];
  }
  void merge(const Lengths& other) {
    count += other.count;
    least = std::min(least, other.least);
    least_above_0 = std::min(least_above_0, other.least_above_0);
    most = std::max(most, other.most);
    for (size_t i = 0; i < fine.size(); ++i) fine[i] += other.fine[i];
  }
  Quantile quantile(double share) const {
    const auto rank = static_cast<uint64_t>(std::ceil(share * static_cast<double>(count)));
    uint64_t passed = 0;
    size_t bin = 0;
    while (bin + 1 < fine.size() && passed + fine[bin] < rank) passed += fine[bin++];
    return {FineBins::least(bin), FineBins::most(bin), rank - passed};
  }
};

struct Counts {
  const std::vector<int64_t>* borders;
  std::vector<uint64_t> counts;
  std::vector<Quantile> quantiles;

  void add(int64_t length) {
    const auto after = std::ranges::upper_bound(*borders, length);
    // The last border cannot lie behind the longest length there can be.
    const auto bin = static_cast<size_t>(after - borders->begin()) - 1;
    ++counts[std::min(bin, counts.size() - 1)];
    for (Quantile& quantile : quantiles) quantile.add(static_cast<uint64_t>(length));
  }
  void merge(const Counts& other) {
    std::ranges::transform(counts, other.counts, counts.begin(), std::plus{});
    for (size_t i = 0; i < quantiles.size(); ++i) {
      auto& parts = quantiles[i].counts;
      std::ranges::transform(parts, other.quantiles[i].counts, parts.begin(), std::plus{});
    }
  }
};

// Returns nullopt without a length: for a message that lacks an end, or whose latency is unknown.
std::optional<int64_t> length_of(const store::Trace& trace, const store::Row& row,
                                 const store::Record& record) {
  if (!is_link(row.kind)) return record.duration.ticks;
  const auto latency = latency_of(trace, ends_of(row.kind, row.lane, record));
  return latency ? std::optional(std::max<int64_t>(0, latency->ticks)) : std::nullopt;
}

// Windows over the rows of sends.
std::vector<Window> message_windows(const store::Trace& trace, const Selection& selection) {
  return row_windows(trace, selection,
                     [](store::RowKind kind) { return kind == store::RowKind::kLinkOut; });
}

template <class Sum>
Sum read_lengths(const store::Trace& trace, const Selection& selection,
                 const std::vector<Window>& windows, Sum empty, const Work& work) {
  return reduce(work, windows.size(), std::move(empty), [&](Sum& sum, size_t i) {
    const Window& window = windows[i];
    for (const store::Row& row : window.rows) {
      const RowSelection events = selection.of(trace, row);
      if (events.takes_nothing()) continue;
      trace.for_each_block(row, window.range, [&](std::span<const store::Record> block) {
        for (const store::Record& record : block) {
          const bool is_counted = window.owns(record) && lies_in(row, record, selection.range);
          if (!is_counted || !events.takes(record)) continue;
          if (const auto length = length_of(trace, row, record)) sum.add(*length);
        }
        return true;
      });
    }
  });
}

// The last border is one tick after the longest.
std::vector<int64_t> borders_of(const Lengths& lengths, BinScale scale, size_t bins) {
  const bool is_linear = scale == BinScale::kLinear;
  std::vector<int64_t> borders = {lengths.least};
  if (!is_linear && bins > 1 && lengths.least == 0 && lengths.most > 0)
    borders.push_back(lengths.least_above_0);
  const auto first = static_cast<double>(borders.back());
  const double end = static_cast<double>(lengths.most) + 1;
  const size_t widening = std::max<size_t>(1, bins + 1 - borders.size());
  for (size_t i = 1; i < widening; ++i) {
    const double share = static_cast<double>(i) / static_cast<double>(widening);
    const double border =
        is_linear ? first + share * (end - first) : first * std::pow(end / first, share);
    const int64_t ticks = saturating_round(border);
    if (ticks > borders.back() && ticks <= lengths.most) borders.push_back(ticks);
  }
  borders.push_back(saturating_add(lengths.most, 1));
  return borders;
}

}  // namespace

std::optional<DurationBins> duration_bins(const store::Trace& trace, const Selection& selection,
                                          LengthsOf of, BinScale scale, size_t bins,
                                          const Work& work) {
  const std::vector<Window> windows = of == LengthsOf::kStates ? state_windows(trace, selection)
                                                               : message_windows(trace, selection);
  const Lengths lengths = read_lengths(trace, selection, windows, Lengths(), work);
  DurationBins result;
  if (work.stop.stop_requested()) return std::nullopt;
  if (lengths.count == 0) return result;
  result.count = lengths.count;
  result.least = lengths.least;
  result.most = lengths.most;
  result.borders = borders_of(lengths, scale, std::max<size_t>(1, bins));
  Counts empty{&result.borders, std::vector<uint64_t>(result.borders.size() - 1), {}};
  for (const double share : kDurationQuantiles) empty.quantiles.push_back(lengths.quantile(share));
  Counts all = read_lengths(trace, selection, windows, std::move(empty), work);
  if (work.stop.stop_requested()) return std::nullopt;
  result.counts = std::move(all.counts);
  for (size_t i = 0; i < all.quantiles.size(); ++i) {
    const auto most = static_cast<uint64_t>(lengths.most);
    result.quantiles[i] = static_cast<int64_t>(std::min(most, all.quantiles[i].value()));
  }
  return result;
}

}  // namespace weft::query
