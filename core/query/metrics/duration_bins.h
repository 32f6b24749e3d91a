// Histograms and quantiles of the durations of states or the latencies of messages. (FS-45, B-07)
//
// Events of the selection's range count with their unclipped length, so a bin counts what a filter
// on duration (or latency) finds. Negative latencies count as 0; messages that lack an end do not
// count. The records are read twice, on all threads.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/query/selection.h"
#include "core/query/work.h"
#include "core/store/trace.h"

namespace weft::query {

enum class LengthsOf : uint8_t { kStates, kMessages };
enum class BinScale : uint8_t { kLogarithmic, kLinear };

inline constexpr std::array<double, 4> kDurationQuantiles = {0.5, 0.9, 0.99, 0.999};

struct DurationBins {
  uint64_t count = 0;  // events: the sum of all bins
  int64_t least = 0;
  int64_t most = 0;
  std::vector<int64_t> borders;  // ascending; bin i is [borders[i], borders[i + 1])
  std::vector<uint64_t> counts;
  // The smallest length that the given share of events does not exceed: exact below 2^20 ticks,
  // beyond that too large by at most 1/2^19 of itself.
  std::array<int64_t, kDurationQuantiles.size()> quantiles{};

  // Returns the probability density in 1/tick; its integral over all bins is 1.
  double density(size_t bin) const {
    const auto width = static_cast<double>(borders[bin + 1] - borders[bin]);
    return static_cast<double>(counts[bin]) / (static_cast<double>(count) * width);
  }
};

// Returns at most `bins` bins; fewer if lengths span fewer ticks. On a logarithmic scale, events
// without length have a bin of their own, the first. nullopt if stopped.
std::optional<DurationBins> duration_bins(const store::Trace& trace, const Selection& selection,
                                          LengthsOf of, BinScale scale, size_t bins,
                                          const Work& work);

}  // namespace weft::query
