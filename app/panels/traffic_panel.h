// Who sends to whom: the links of a scope by pair of lanes, as a chord diagram or a matrix beside a
// table with messages, bytes and latencies. A click chooses a pair. (TM-53)
//
//   ┌ pairs ────────────┬ picture ─┐   a double click on a pair filters to its messages
//   │ ■ a   b   12  p50 │    ◯     │
//   └───────────────────┴──────────┘
#pragma once

#include <memory>
#include <optional>

#include "app/panels/panels.h"
#include "app/panels/table_view.h"
#include "app/panels/traffic_figures.h"
#include "render/latest.h"

namespace weft::app {

class TrafficPanel final : public Panel {
 public:
  explicit TrafficPanel(const PanelServices& services);
  void draw(const PanelInput& input, PanelOutput& output) override;
  void paint() override {}
  void present(int) const override {}

  struct ShownKey {
    std::shared_ptr<const TrafficFigures> of;
    TableOptions options;
    bool operator==(const ShownKey&) const = default;
  };
  struct Shown {
    ShownKey key;
    std::vector<size_t> pairs;  // those the filters take, in the order of the table
  };

 private:
  static Shown arrange(const ShownKey& key);
  void draw_table(const PanelInput& input, const Area& area,
                  const std::shared_ptr<const TrafficFigures>& figures, bool is_stale,
                  PanelOutput& output);
  void draw_picture(const PanelInput& input, const Area& area, const TrafficFigures& figures,
                    PanelOutput& output) const;

  render::Latest<Scope, TrafficFigures> figures_;
  render::Latest<ShownKey, Shown> shown_;
  TableView view_;
};

}  // namespace weft::app
