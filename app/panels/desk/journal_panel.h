// The journal: every command since the start, the newest first. A click restores the view as it was
// after a command; all commands can be saved as a journal that `weftscope replay` runs again.
// (FS-49)
#pragma once

#include "app/panels/panels.h"
#include "app/panels/tables/table_view.h"

namespace weft::app {

class JournalPanel final : public Panel {
 public:
  explicit JournalPanel(const PanelServices&) {}
  void draw(const PanelInput& input, PanelOutput& output) override;

 private:
  TableView view_;
};

}  // namespace weft::app
