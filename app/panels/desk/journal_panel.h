// What was done since the start: every command, the newest first. A click looks at the trace again
// as it was looked at then; all of it is saved as a journal that `weftscope replay` does again.
// (FS-49)
#pragma once

#include "app/panels/panels.h"
#include "app/panels/tables/table_view.h"

namespace weft::app {

class JournalPanel final : public Panel {
 public:
  explicit JournalPanel(const PanelServices&) {}
  void draw(const PanelInput& input, PanelOutput& output) override;
  void paint() override {}
  void present(int) const override {}

 private:
  TableView view_;
};

}  // namespace weft::app
