// What a trace has lost, and what is amiss in it but shown, by kind, with the first places in its
// file, and how much of it has been read. Above that, what became of its messages: a click filters
// to them. (B-21)
#pragma once

#include "app/panels/panels.h"
#include "app/panels/tables/table_view.h"
#include "core/base/latest.h"

namespace weft::app {

class QualityPanel final : public Panel {
 public:
  explicit QualityPanel(const PanelServices& services);
  void draw(const PanelInput& input, PanelOutput& output) override;

 private:
  struct MessageCounts {
    store::TracePtr of;
    uint64_t unreceived = 0;
    uint64_t dropped = 0;  // of those never received
    uint64_t unsent = 0;
  };

  // Returns the area left below.
  Area draw_messages(const PanelInput& input, PanelOutput& output);

  Latest<store::TracePtr, MessageCounts> messages_;
  TableView view_;
};

}  // namespace weft::app
