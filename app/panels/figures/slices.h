// Sums up the events of a range as the slices of a pie and the rows of its table. (FS-12 to FS-14,
// FS-43, FS-44, FS-46, FS-47, FS-56, FS-57)
//
// Two steps, both for workers: measuring reads the events; arranging decides what is shown.
// Excluded slices do not count, slices merged by the user form one, and those below 1 %, where
// there are two or more, are gathered in a folder that lists each, so that nothing is lost; the
// folder can be excluded and merged by its name, too. Percentages refer to what is not excluded.
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
  bool has_spread;  // has mean, least and most
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
    double value = 0;  // its value for the metric
  };
  MeasureKey key;
  std::vector<Item> items;
  uint64_t size_bytes() const;  // O(items)
};
// nullopt if it was stopped.
std::optional<Measured> measure_slices(const MeasureKey& key, ThreadPool& pool,
                                       const std::stop_token& stop);

// A panel's options for its slices and for the table that lists them.
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
  // Share of all slices that are positive and not excluded; 0 for others: latencies may be negative
  // if clocks differ, and are then no part of a whole.
  double share = 0;
  query::Group figures;
  size_t part_count = 0;     // for a folder: how many slices it stands for
  std::vector<Slice> parts;  // for a listed folder, those that pass the filter; in a pie, none
  bool is_open = false;      // its parts follow it in the table
  int level = 0;
};

inline constexpr double kLeastShare = 0.01;  // smaller slices are aggregated

struct SliceTable {
  std::shared_ptr<const Measured> measured;
  std::vector<Slice> pie;   // clockwise from the top
  std::vector<Slice> rows;  // as shown: parts of open folders follow them, at level 1
  double sum = 0;
  size_t matched = 0;       // slices that pass the filter, each counted once …
  size_t total = 0;         // … of this number
  uint64_t size_bytes = 0;  // including what was measured
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
// The columns for a metric, named by its figures.
std::span<const TableColumn> slice_columns(const SliceMetric& metric);
std::string slice_cell(const Slice& slice, const Measured& measured, size_t column,
                       const TimeDisplay& display);
// Every listed slice, including those in folders, open or not, with the name of their folder.
Sheet sheet_of(const std::shared_ptr<const SliceTable>& slices);

struct ArrangeKey {
  std::shared_ptr<const Measured> measured;
  SliceOptions options;
  TimeDisplay display = {};
  bool operator==(const ArrangeKey&) const = default;
};
SliceTable arrange_slices(const ArrangeKey& key);

}  // namespace weft::app
