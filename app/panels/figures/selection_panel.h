// What the selected range and lanes add up to, by type or by lane: count, total, mean, least, most,
// percentiles and self time of the states, clipped to the range; exact. Without a range, of the
// window. (B-05)
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app/panels/panels.h"
#include "app/panels/tables/table_view.h"
#include "app/session/scope.h"
#include "core/query/metrics/selection_statistics.h"
#include "render/latest.h"

namespace weft::app {

class SelectionPanel final : public Panel {
 public:
  explicit SelectionPanel(const PanelServices& services);
  void draw(const PanelInput& input, PanelOutput& output) override;
  void paint() override {}
  void present(int) const override {}

 private:
  struct Sums {
    Scope key;
    query::SelectionStatistics statistics;
  };
  struct TableKey {
    std::shared_ptr<const Sums> sums;
    bool is_by_lane = false;
    TableOptions options;
    bool operator==(const TableKey&) const = default;
  };
  // Sorted and filtered.
  struct Table {
    TableKey key;
    std::vector<query::Group> groups;
    size_t unfiltered = 0;
    std::string name_of(const query::Group& group) const;
    double value(const query::Group& group, size_t column) const;
    std::string cell(size_t row, size_t column, const TimeDisplay& display) const;
    Cell exact(size_t row, size_t column) const;
  };
  class Rows;

  static Table make_table(const TableKey& key);

  render::Latest<Scope, Sums> sums_;
  render::Latest<TableKey, Table> table_;
  TableView view_;
};

}  // namespace weft::app
