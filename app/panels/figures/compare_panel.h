// Comparison of two open traces by type or by lane: count, total, self time, mean and longest of
// the states in A and in B, with the difference absolute and in percent; for the whole traces, for
// what is shown, or for what is selected in each. Metrics that only count have counts alone. (C-12)
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app/panels/panels.h"
#include "app/panels/tables/table_view.h"
#include "app/panels/toolbar.h"
#include "app/session/scope.h"
#include "core/base/latest.h"
#include "core/base/result.h"
#include "core/query/metrics/comparison.h"

namespace weft::app {

struct CompareKey {
  Scope a, b;
  const query::Metric* metric = nullptr;
  query::GroupBy by = query::GroupBy::kType;
  bool operator==(const CompareKey&) const = default;
};

class ComparePanel final : public Panel {
 public:
  explicit ComparePanel(const PanelServices& services);
  void draw(const PanelInput& input, PanelOutput& output) override;

 private:
  struct Compared {
    CompareKey key;
    Result<query::TraceComparison> result;
    std::vector<std::string> names = {};  // names of its rows
  };
  struct TableKey {
    std::shared_ptr<const Compared> compared;
    TableOptions options;
    bool only_differing = false;
    TimeDisplay display;
    bool operator==(const TableKey&) const = default;
  };
  // The rows, sorted and filtered.
  struct Table {
    TableKey key;
    std::vector<const query::Difference*> rows;  // point into key.compared
    const std::string& name_of(const query::Difference& row) const {
      return key.compared->names[static_cast<size_t>(&row - key.compared->result->rows.data())];
    }
    std::string cell(size_t row, size_t column, const TimeDisplay& display) const;
    Cell exact(size_t row, size_t column) const;
    bool is_same(const query::Difference& row) const;  // in all that is shown of it
  };
  class Rows;

  static Table make_table(const TableKey& key);

  Latest<CompareKey, Compared> compared_;
  Latest<TableKey, Table> table_;
  TableView view_;
};

}  // namespace weft::app
