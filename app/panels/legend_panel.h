// The event types with their colours, how many events they have and how long their states take; a
// colour is changed here, for every trace and every start. (FS-28, FS-33, FS-59, B-26)
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app/panels/panels.h"
#include "app/panels/scope.h"
#include "app/panels/table_view.h"
#include "render/latest.h"

namespace weft::app {

struct LegendLine {
  EventTypeId type;
  uint64_t count = 0;
  int64_t total = 0;  // ticks in its states
};

// Of all types that have events in the range.
struct LegendLines {
  Scope key;
  std::vector<LegendLine> lines;
};

class LegendPanel final : public Panel {
 public:
  explicit LegendPanel(const PanelServices& services);
  void draw(const PanelInput& input, PanelOutput& output) override;
  void paint() override {}
  void present(int) const override {}

 private:
  struct ShownKey {
    std::shared_ptr<const LegendLines> of;
    TableOptions options;
    bool operator==(const ShownKey&) const = default;
  };
  // Sorted and filtered.
  struct Shown {
    ShownKey key;
    std::vector<LegendLine> lines;
  };
  class Rows;

  static Shown arrange(const ShownKey& key);
  void answer(const PanelInput& input, const TableAnswer& answer, const Shown& shown,
              PanelOutput& output);
  void draw_picker(const PanelInput& input, PanelOutput& output);

  TableView view_;
  render::Latest<Scope, LegendLines> lines_;
  render::Latest<ShownKey, Shown> shown_;
  std::string picked_;  // the type whose colour is being chosen
  bool opens_picker_ = false;
  std::array<float, 3> color_ = {};
  uint32_t gesture_ = 0;
};

}  // namespace weft::app
