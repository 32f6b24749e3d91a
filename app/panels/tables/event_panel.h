// The event table: every event as a row, in order of time or of a column, filtered by column, for
// the window, the whole trace or the selected range. (FS-15 to FS-18, FS-58, B-13)
#pragma once

#include "app/panels/panels.h"
#include "app/panels/tables/event_list.h"

namespace weft::app {

class EventPanel final : public Panel {
 public:
  explicit EventPanel(const PanelServices& services) : list_(services) {}
  void draw(const PanelInput& input, PanelOutput& output) override;
  uint64_t table_bytes() const override { return list_.table_bytes(); }

 private:
  EventList list_;
};

}  // namespace weft::app
