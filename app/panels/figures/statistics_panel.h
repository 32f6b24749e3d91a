// Statistics: a pie and a table of sums over events, by type or by lane, for the window, the whole
// trace or the selected range. (FS-12 to FS-14, FS-28, FS-43, FS-44, FS-46, FS-47, FS-56, FS-57)
#pragma once

#include "app/panels/figures/slices.h"
#include "app/panels/panels.h"
#include "app/panels/steady_question.h"
#include "app/panels/tables/table_view.h"
#include "core/base/latest.h"

namespace weft::app {

class StatisticsPanel final : public Panel {
 public:
  explicit StatisticsPanel(const PanelServices& services);
  void draw(const PanelInput& input, PanelOutput& output) override;
  uint64_t table_bytes() const override { return table_bytes_; }

 private:
  void draw_pie(const PanelInput& input, const Area& area, const SliceTable& slices,
                const SliceOptions& options, PanelOutput& output);
  void draw_table(const PanelInput& input, const Area& area,
                  const std::shared_ptr<const SliceTable>& slices, const SliceMetric& metric,
                  const SliceOptions& options, PanelOutput& output);
  void answer(const PanelInput& input, const TableAnswer& answer, const SliceTable& slices,
              const SliceOptions& options, PanelOutput& output);
  bool answer_of_one(const PanelInput& input, const TableAnswer& answer, const SliceTable& slices,
                     PanelOutput& output) const;
  void answer_of_slices(const PanelInput& input, const TableAnswer& answer,
                        const SliceTable& slices, const SliceOptions& options, PanelOutput& output);
  void draw_merge(const PanelInput& input, PanelOutput& output);

  TableView view_;
  Latest<MeasureKey, Measured> measured_;
  SteadyQuestion<MeasureKey> question_;
  Latest<ArrangeKey, SliceTable> slices_;
  uint64_t table_bytes_ = 0;  // size of what is shown
  bool is_stale_ = true;
  bool wants_merge_ = false;
  std::array<char, 128> merge_name_{};
  std::array<float, 3> merge_color_{0.31F, 0.47F, 0.65F};
};

}  // namespace weft::app
