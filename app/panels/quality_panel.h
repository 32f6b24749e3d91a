// What a trace has lost and what had to be repaired, by kind, with the first places in its file;
// and how much of it is read. (B-21)
#pragma once

#include "app/panels/panels.h"
#include "app/panels/table_view.h"

namespace weft::app {

class QualityPanel final : public Panel {
 public:
  explicit QualityPanel(const PanelServices&) {}
  void draw(const PanelInput& input, PanelOutput& output) override;
  void paint() override {}
  void present(int) const override {}

 private:
  TableView view_;
};

}  // namespace weft::app
