// What differs between two open traces, by type or by lane: count, total, mean and longest of the
// states in A and in B, with the difference absolute and in percent; of all of them, of what is
// shown, or of what is selected in each. (C-12)
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app/panels/panels.h"
#include "app/panels/tables/table_view.h"
#include "app/panels/toolbar.h"
#include "app/session/scope.h"
#include "core/base/result.h"
#include "core/query/metrics/comparison.h"
#include "render/latest.h"

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
  void paint() override {}
  void present(int) const override {}

 private:
  struct Compared {
    const query::Metric* metric = nullptr;
    Result<query::TraceComparison> result;
    std::vector<std::string> names = {};  // of its rows
  };
  struct TableKey {
    std::shared_ptr<const Compared> compared;
    TableOptions options;
    bool operator==(const TableKey&) const = default;
  };
  // Sorted and filtered.
  struct Table {
    TableKey key;
    std::vector<const query::Difference*> rows;  // of key.compared
    const std::string& name_of(const query::Difference& row) const {
      return key.compared->names[static_cast<size_t>(&row - key.compared->result->rows.data())];
    }
    std::string cell(size_t row, size_t column, const TimeDisplay& display) const;
    Cell exact(size_t row, size_t column) const;
  };
  class Rows;

  static Table make_table(const TableKey& key);

  render::Latest<CompareKey, Compared> compared_;
  render::Latest<TableKey, Table> table_;
  TableView view_;
};

}  // namespace weft::app
