// Sums over the selected range and lanes, or over the window if no range is selected, by type or by
// lane; exact. (B-05) Of one category at a time:
//   states            count, total, mean, least, most, percentiles and self time, clipped to the
//   range punctual events   count, and rate per second links             count, also by pair of
//   lanes, and the figures of their latencies variables         the mean by time, the least, the
//   greatest and the last value
// With many states or links, percentiles take longer than the rest, which is shown meanwhile.
#pragma once

#include <atomic>
#include <memory>

#include "app/panels/figures/selection_table.h"
#include "app/panels/panels.h"
#include "app/panels/steady_question.h"
#include "app/panels/tables/table_view.h"
#include "core/base/latest.h"
#include "core/query/metrics/selection_statistics.h"

namespace weft::app {

class SelectionPanel final : public Panel {
 public:
  explicit SelectionPanel(const PanelServices& services);
  void draw(const PanelInput& input, PanelOutput& output) override;

 private:
  using SumsPtr = std::shared_ptr<const SelectionSums>;
  class Rows;

  // Asks for what is to be shown; returns whether it is still on its way.
  bool update(const PanelInput& input, const SelectionQuestion& question);

  std::atomic<int> percent_ = 0;  // progress of the percentiles
  Latest<SelectionQuestion, SelectionSums> sums_;
  SteadyQuestion<SelectionQuestion> question_;
  Latest<SumsPtr, query::Statistics> percentiles_;
  Latest<SelectionTableKey, SelectionTable> table_;
  std::shared_ptr<const SelectionTable> shown_;
  bool lacks_percentiles_ = false;
  TableView view_;
};

}  // namespace weft::app
