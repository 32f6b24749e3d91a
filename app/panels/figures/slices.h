// What the events of a range add up to, as the slices of a pie and the rows of its table. (FS-12 to
// FS-14, FS-43, FS-44, FS-46, FS-47, FS-56, FS-57)
//
// Two steps, both for workers: measuring reads the events; arranging decides what is shown of them:
// what was excluded does not count, what the user merged is one slice, and what is below 1 % is
// gathered in a folder, so that nothing is lost; it, too, is excluded and merged by its name. Where
// that is much of the whole, its largest are slices of their own all the same. Percentages are of
// what is left.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "app/panels/tables/table_view.h"
#include "app/session/scope.h"
#include "app/session/slice_choice.h"
#include "core/query/metrics/metrics.h"
#include "core/store/trace.h"

namespace weft::app {

struct SliceMetric {
  std::string_view id;
  const char* title;
  bool is_time;     // values are ticks
  bool has_spread;  // mean, least and most are told
};
std::span<const SliceMetric> slice_metrics();

struct MeasureKey : Scope {
  const SliceMetric* metric = nullptr;
  query::GroupBy by = query::GroupBy::kType;
  bool operator==(const MeasureKey&) const = default;
};

struct Measured {
  struct Item {
    std::string name;
    query::Group group;
    double value = 0;  // of the metric
  };
  MeasureKey key;
  std::vector<Item> items;
  uint64_t size_bytes() const;  // O(items)
};
// None where it was told to stop.
std::optional<Measured> measure_slices(const MeasureKey& key, ThreadPool& pool,
                                       const std::stop_token& stop);

// What the options of a panel say of its slices: of the table that lists them, too.
struct SliceOptions : SliceChoice {
  TableOptions table;
  bool operator==(const SliceOptions&) const = default;
};
SliceOptions slice_options(const Json& options);

struct Slice {
  enum class Kind : uint8_t { kOne, kMerged, kAggregated, kExcluded };
  Kind kind = Kind::kOne;
  std::string name;
  uint32_t id = 0;   // kOne: of the EventTypeId or LaneId
  uint32_t rgb = 0;  // kMerged
  double value = 0;
  // Of all slices that are not excluded and above 0; 0 for others: latencies are below 0 where
  // clocks differ, and take no part of a whole.
  double share = 0;
  query::Group figures;
  size_t part_count = 0;     // of a folder: how many it stands for
  std::vector<Slice> parts;  // of a listed folder those that the filter takes; in a pie none
  bool is_open = false;      // they follow it in the table
  int level = 0;
};

inline constexpr double kLeastShare = 0.01;  // smaller slices are aggregated …
inline constexpr double kMuchShare = 0.1;    // … but where that would be more than this …
inline constexpr size_t kLargestShown = 16;  // … so many at least stay slices of their own
inline constexpr std::string_view kAggregatedName = "Aggregated";
inline constexpr std::string_view kExcludedName = "Excluded";

struct SliceTable {
  std::shared_ptr<const Measured> measured;
  std::vector<Slice> pie;   // clockwise from the top
  std::vector<Slice> rows;  // as shown: parts of open folders follow them, at level 1
  double sum = 0;
  size_t matched = 0;       // slices, each counted once wherever it is, that the filter takes …
  size_t total = 0;         // … of so many
  uint64_t size_bytes = 0;  // with what was measured
};

enum SliceColumn : size_t {
  kSliceName,
  kSliceShare,
  kSliceValue,
  kSliceCount,
  kSliceMean,
  kSliceLeast,
  kSliceMost
};
// Of a metric; named by its figures.
std::span<const TableColumn> slice_columns(const SliceMetric& metric);
std::string slice_cell(const Slice& slice, const Measured& measured, size_t column,
                       const TimeDisplay& display);
// Every slice that is listed, with those in folders, open or not, and the folder's name beside
// them.
Sheet sheet_of(const std::shared_ptr<const SliceTable>& slices);

struct ArrangeKey {
  std::shared_ptr<const Measured> measured;
  SliceOptions options;
  bool operator==(const ArrangeKey&) const = default;
};
SliceTable arrange_slices(const ArrangeKey& key);

}  // namespace weft::app
