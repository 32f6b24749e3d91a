// Sums over the selected range and lanes, or over the window if no range is selected, by type or by
// lane: count, total, mean, least, most, percentiles and self time of the states, clipped to the
// range; exact. (B-05) With many states, percentiles take longer than the rest, which is shown
// meanwhile.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "app/panels/panels.h"
#include "app/panels/steady_question.h"
#include "app/panels/tables/table_view.h"
#include "app/session/scope.h"
#include "core/base/latest.h"
#include "core/query/metrics/selection_statistics.h"

namespace weft::app {

class SelectionPanel final : public Panel {
 public:
  explicit SelectionPanel(const PanelServices& services);
  void draw(const PanelInput& input, PanelOutput& output) override;

 private:
  struct Sums {
    Scope key;
    query::SelectionStatistics statistics;
    const query::Statistics& by(bool lane) const {
      return lane ? statistics.by_lane : statistics.by_type;
    }
  };
  struct PercentilesKey {
    std::shared_ptr<const Sums> sums;
    bool is_by_lane = false;
    bool operator==(const PercentilesKey&) const = default;
  };
  struct TableKey {
    std::shared_ptr<const Sums> sums;
    std::shared_ptr<const query::Statistics> percentiles;  // the sums with these; null: not yet
    bool is_by_lane = false;
    TableOptions options;
    bool operator==(const TableKey&) const = default;
  };
  struct Line {
    query::Group group;
    std::string name;
  };
  // The lines, sorted and filtered.
  struct Table {
    TableKey key;
    std::vector<Line> lines;
    size_t unfiltered = 0;
    bool has(size_t column) const;  // false for percentiles that are not there yet
    double value(const query::Group& group, size_t column) const;
    std::string cell(size_t row, size_t column, const TimeDisplay& display) const;
    Cell exact(size_t row, size_t column) const;
  };
  class Rows;

  static Table make_table(const TableKey& key);

  std::atomic<int> percent_ = 0;  // progress of the percentiles
  Latest<Scope, Sums> sums_;
  SteadyQuestion<Scope> question_;
  Latest<PercentilesKey, query::Statistics> percentiles_;
  Latest<TableKey, Table> table_;
  std::shared_ptr<const Table> shown_;
  TableView view_;
};

}  // namespace weft::app
