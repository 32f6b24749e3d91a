// Statistics: a selection's events summed up by type or by lane. Each metric is one row of a table
// (metrics.cpp) and one file.
//
// States count if they overlap the range, with their overlap only: every figure (total, mean, min,
// max, self, histogram) is of clipped lengths. All other events count if they lie in the range
// (selection.h) and are never clipped.
//
// Cost: every record of the selected rows in the range is read once, on all threads of the pool.
// Sums saturate at 64 bits. If stopped, the figures are partial.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/query/selection.h"
#include "core/query/work.h"
#include "core/store/trace.h"

namespace weft::query {

// kPair: links, by sending and receiving lane.
enum class GroupBy : uint8_t { kType, kLane, kPair };

// The percentiles of a group's values, computed on request (percentiles.h).
inline constexpr std::array<uint32_t, 4> kPercentiles = {50, 90, 95, 99};

// The sums of the events of one type, lane or pair of lanes.
struct Group {
  uint32_t id = 0;               // the EventTypeId or LaneId; pairs: the sender, none() if missing
  LaneId peer = LaneId::none();  // pairs: the receiver
  uint64_t count = 0;
  int64_t total = 0;
  int64_t min = 0;
  int64_t max = 0;
  int64_t self = 0;  // states: the ticks of `total` in which no state of the next depth runs
  std::array<int64_t, kPercentiles.size()> percentiles{};

  double mean() const { return static_cast<double>(total) / static_cast<double>(count); }
};

// Bin 0: 0 and less. Bin b: [2^(b-1), 2^b).
inline constexpr size_t kHistogramBins = 64;
using Histogram = std::array<uint64_t, kHistogramBins>;
inline size_t histogram_bin(int64_t value) {
  return value <= 0 ? 0 : static_cast<size_t>(std::bit_width(static_cast<uint64_t>(value)));
}

struct Statistics {
  std::vector<Group> groups;  // non-empty ones; largest total first, then by id
  Histogram histogram{};      // of the values of all groups
  double sum = 0;             // of all totals: 100 %

  double percentage(const Group& group) const {
    return sum == 0 ? 0 : 100 * static_cast<double>(group.total) / sum;
  }
};

struct Metric {
  std::string_view id;    // "duration"
  std::string_view name;  // "Time in states"
  bool is_time = false;   // values are ticks
  bool has_self = false;
  Statistics (*measure)(const store::Trace& trace, const Selection& selection, GroupBy by,
                        const Work& work);
  // Returns the value of a record in the range; nullopt if the metric does not count it.
  std::optional<int64_t> (*value)(const store::Trace& trace, const store::Row& row,
                                  const store::Record& record, TimeRange range);
  bool only_counts = false;  // every event has the value 1: totals are counts, means say nothing
};

std::span<const Metric> metrics();
const Metric* metric_from_id(std::string_view id);

}  // namespace weft::query
