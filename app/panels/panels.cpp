#include "app/panels/panels.h"

#include <algorithm>

#include "app/panels/density_panel.h"
#include "app/panels/gantt_panel.h"
#include "app/panels/overview_panel.h"

namespace weft::app {
namespace {

template <class P>
std::unique_ptr<Panel> create(const PanelServices& services) {
  return std::make_unique<P>(services);
}

constexpr PanelRow kPanels[] = {
    {"overview", "Overview", 76, create<OverviewPanel>},
    {"gantt", "Timeline", 0, create<GanttPanel>},
    {"density", "Event density", 132, create<DensityPanel>},
};

}  // namespace

std::span<const PanelRow> panel_table() { return kPanels; }

const PanelRow* find_panel(std::string_view id) {
  const auto row = std::ranges::find(kPanels, id, &PanelRow::id);
  return row == std::end(kPanels) ? nullptr : row;
}

uint32_t new_gesture() {
  static uint32_t last = 0;  // panels live on the frame thread
  return ++last;
}

}  // namespace weft::app
