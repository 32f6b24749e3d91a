// The table of the selection panel: what is summed up, by type, lane or pair of lanes. The columns
// depend on what that is. Plain values, made and sorted by workers.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/base/sheet.h"
#include "app/base/time_display.h"
#include "app/panels/tables/table_view.h"
#include "app/session/scope.h"
#include "core/query/metrics/selection_statistics.h"

namespace weft::app {

// What is asked of workers.
struct SelectionQuestion : Scope {
  trace::Category category = trace::Category::kState;
  query::GroupBy by = query::GroupBy::kType;
  bool operator==(const SelectionQuestion&) const = default;
};

struct SelectionSums {
  SelectionQuestion key;
  query::SelectionStatistics statistics;
};

struct SelectionTableKey {
  std::shared_ptr<const SelectionSums> sums;
  std::shared_ptr<const query::Statistics> percentiles;  // their values with these; null: not yet
  TableOptions options;
  TimeDisplay display;
  bool operator==(const SelectionTableKey&) const = default;
};

// The lines that pass the filters, sorted.
class SelectionTable {
 public:
  explicit SelectionTable(const SelectionTableKey& key);

  static std::span<const TableColumn> columns_of(trace::Category category);
  // Whether the category has percentiles.
  static bool has_percentiles(trace::Category category);

  const SelectionTableKey& key() const { return key_; }
  const SelectionQuestion& question() const { return key_.sums->key; }
  size_t size() const { return lines_.size(); }
  size_t unfiltered() const { return unfiltered_; }
  const std::string& name(size_t line) const { return lines_[line].name; }
  // The type that a line is about; nullopt: it is about lanes.
  std::optional<EventTypeId> type(size_t line) const;
  // As shown: "…" for percentiles that are not known yet.
  std::string cell(size_t line, size_t column, const TimeDisplay& display) const;
  // The exact value, times in ticks; empty if there is none, or if it is not known yet.
  Cell exact(size_t line, size_t column) const;

 private:
  struct Line {
    std::string name;
    uint64_t count = 0;
    query::Group group;  // of values; nothing is in it if none is known
    query::VariableFigures variable;
  };

  void add_lines();
  void sort(size_t column);

  SelectionTableKey key_;
  std::vector<Line> lines_;
  size_t unfiltered_ = 0;
};

}  // namespace weft::app
