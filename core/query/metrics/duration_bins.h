// How long states take, or messages are on their way: how many lie in each bin of lengths, and
// quantiles. (FS-45, B-07)
//
// Of the events of the selection that lie in its range, each with its whole length: what a bin
// counts is what a filter on the duration (or the latency) finds; what was received before it was
// sent counts as 0, messages that lack an end not at all. Cost: their records are read twice, on
// all threads.
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
  uint64_t count = 0;  // of events: the sum of all bins
  int64_t least = 0;
  int64_t most = 0;
  std::vector<int64_t> borders;  // ascending; bin i is [borders[i], borders[i + 1])
  std::vector<uint64_t> counts;
  // The smallest length that the share of events does not exceed: exact below 2^20 ticks, beyond at
  // most 1/2^19 of itself too large.
  std::array<int64_t, kDurationQuantiles.size()> quantiles{};

  // Of the probability density, in 1/tick: its area over all bins is 1.
  double density(size_t bin) const {
    const auto width = static_cast<double>(borders[bin + 1] - borders[bin]);
    return static_cast<double>(counts[bin]) / (static_cast<double>(count) * width);
  }
};

// At most `bins` bins: fewer where lengths differ by fewer ticks. Logarithmic: events without
// length have a bin for themselves, the first. None where it was stopped.
std::optional<DurationBins> duration_bins(const store::Trace& trace, const Selection& selection,
                                          LengthsOf of, BinScale scale, size_t bins,
                                          const Work& work);

}  // namespace weft::query
