#include "app/panels/panels.h"

#include <algorithm>

#include "app/panels/desk/console_panel.h"
#include "app/panels/desk/journal_panel.h"
#include "app/panels/desk/memory_panel.h"
#include "app/panels/desk/quality_panel.h"
#include "app/panels/desk/trace_type_panel.h"
#include "app/panels/element/inspector_panel.h"
#include "app/panels/figures/compare_panel.h"
#include "app/panels/figures/duration_panel.h"
#include "app/panels/figures/flame_panel.h"
#include "app/panels/figures/legend_panel.h"
#include "app/panels/figures/pages_panel.h"
#include "app/panels/figures/selection_panel.h"
#include "app/panels/figures/statistics_panel.h"
#include "app/panels/sequence/causality_panel.h"
#include "app/panels/sequence/classes_panel.h"
#include "app/panels/sequence/sequence_panel.h"
#include "app/panels/sequence/traffic_panel.h"
#include "app/panels/tables/event_panel.h"
#include "app/panels/tables/sql_panel.h"
#include "app/panels/timeline/density_panel.h"
#include "app/panels/timeline/gantt_panel.h"
#include "app/panels/timeline/markers_panel.h"
#include "app/panels/timeline/overview_panel.h"

namespace weft::app {
namespace {

template <class P>
std::unique_ptr<Panel> create(const PanelServices& services) {
  return std::make_unique<P>(services);
}

struct PanelRow {
  std::string_view kind;
  std::unique_ptr<Panel> (*create)(const PanelServices& services);
};

constexpr PanelRow kPanels[] = {
    {"overview", create<OverviewPanel>},
    {"gantt", create<GanttPanel>},
    {"density", create<DensityPanel>},
    {"sequence", create<SequencePanel>},
    {"inspector", create<InspectorPanel>},
    {"markers", create<MarkersPanel>},
    {"events", create<EventPanel>},
    {"selection", create<SelectionPanel>},
    {"statistics", create<StatisticsPanel>},
    {"pages", create<PagesPanel>},
    {"durations", create<DurationPanel>},
    {"traffic", create<TrafficPanel>},
    {"flame", create<FlamePanel>},
    {"causality", create<CausalityPanel>},
    {"compare", create<ComparePanel>},
    {"legend", create<LegendPanel>},
    {"sql", create<SqlPanel>},
    {"journal", create<JournalPanel>},
    {"console", create<ConsolePanel>},
    {"memory", create<MemoryPanel>},
    {"trace-type", create<TraceTypePanel>},
    {"classes", create<ClassesPanel>},
    {"quality", create<QualityPanel>},
};

}  // namespace

std::unique_ptr<Panel> make_panel(std::string_view kind, const PanelServices& services) {
  const auto row = std::ranges::find(kPanels, kind, &PanelRow::kind);
  return row == std::end(kPanels) ? nullptr : row->create(services);
}

void offer_sheet(const PanelInput& input, std::string_view table, bool is_stale,
                 const std::function<Sheet()>& make, PanelOutput& output) {
  if (is_stale) return;
  for (const TableOrder& order : input.session.orders.tables) {
    if (order.panel != input.id || order.table != table) continue;
    output.tables.push_back({order.serial, make()});
  }
}

}  // namespace weft::app
