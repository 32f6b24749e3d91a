#include "app/panels/panels.h"

#include <fmt/core.h>

#include <algorithm>

#include "app/panels/causality_panel.h"
#include "app/panels/classes_panel.h"
#include "app/panels/compare_panel.h"
#include "app/panels/console_panel.h"
#include "app/panels/density_panel.h"
#include "app/panels/duration_panel.h"
#include "app/panels/event_panel.h"
#include "app/panels/flame_panel.h"
#include "app/panels/gantt_panel.h"
#include "app/panels/inspector_panel.h"
#include "app/panels/journal_panel.h"
#include "app/panels/legend_panel.h"
#include "app/panels/markers_panel.h"
#include "app/panels/memory_panel.h"
#include "app/panels/overview_panel.h"
#include "app/panels/pages_panel.h"
#include "app/panels/quality_panel.h"
#include "app/panels/selection_panel.h"
#include "app/panels/sequence_panel.h"
#include "app/panels/sql_panel.h"
#include "app/panels/statistics_panel.h"
#include "app/panels/trace_type_panel.h"
#include "app/panels/traffic_panel.h"
#include "core/base/text.h"
#include "core/formats/formats.h"

namespace weft::app {
namespace {

template <class P>
std::unique_ptr<Panel> create(const PanelServices& services) {
  return std::make_unique<P>(services);
}

constexpr PanelRow kPanels[] = {
    {"overview", "Overview", PanelPlace::kColumn, 76, true, false, false, create<OverviewPanel>},
    {"gantt", "Timeline", PanelPlace::kColumn, 0, true, true, true, create<GanttPanel>},
    {"density", "Event density", PanelPlace::kColumn, 132, true, true, true, create<DensityPanel>},
    {"sequence", "Sequence diagram", PanelPlace::kBeside, 620, false, false, true,
     create<SequencePanel>},
    {"inspector", "Inspector", PanelPlace::kRight, 320, false, true, false, create<InspectorPanel>},
    {"markers", "Markers", PanelPlace::kRight, 320, false, true, false, create<MarkersPanel>},
    {"events", "Event table", PanelPlace::kBottom, 260, false, true, true, create<EventPanel>},
    {"selection", "Selection", PanelPlace::kBottom, 260, false, true, true, create<SelectionPanel>},
    {"statistics", "Statistics", PanelPlace::kBottom, 260, false, true, true,
     create<StatisticsPanel>},
    {"pages", "Statistics pages", PanelPlace::kBottom, 260, false, true, true, create<PagesPanel>},
    {"durations", "Durations", PanelPlace::kBottom, 260, false, true, true, create<DurationPanel>},
    {"traffic", "Traffic", PanelPlace::kBottom, 320, false, true, true, create<TrafficPanel>},
    {"flame", "Flame graph", PanelPlace::kBottom, 260, false, true, true, create<FlamePanel>},
    {"causality", "Causes and effects", PanelPlace::kBottom, 260, false, true, false,
     create<CausalityPanel>},
    {"compare", "Comparison", PanelPlace::kBottom, 260, false, true, true, create<ComparePanel>},
    {"legend", "Legend", PanelPlace::kRight, 400, false, true, true, create<LegendPanel>},
    {"sql", "SQL", PanelPlace::kBottom, 260, false, true, false, create<SqlPanel>},
    {"journal", "Journal", PanelPlace::kRight, 320, false, true, false, create<JournalPanel>},
    {"console", "Console", PanelPlace::kBottom, 220, false, false, false, create<ConsolePanel>},
    {"memory", "Memory", PanelPlace::kBottom, 260, false, true, false, create<MemoryPanel>},
    {"trace-type", "Custom trace type", PanelPlace::kBottom, 420, false, true, false,
     create<TraceTypePanel>},
    {"classes", "Message classes", PanelPlace::kRight, 340, false, true, false,
     create<ClassesPanel>},
    {"quality", "Data quality", PanelPlace::kBottom, 260, false, true, false, create<QualityPanel>},
};

}  // namespace

std::span<const PanelRow> panel_table() { return kPanels; }

const PanelRow* find_panel(std::string_view id) {
  const auto row = std::ranges::find(kPanels, id, &PanelRow::id);
  return row == std::end(kPanels) ? nullptr : row;
}

PanelLayout default_layout(std::span<const std::string> panels) {
  PanelLayout layout;
  (void)open_panel(layout, *find_panel("overview"));
  (void)open_panel(layout, *find_panel("gantt"));
  for (const std::string& kind : panels) {
    if (const PanelRow* row = find_panel(kind)) (void)open_panel(layout, *row);
  }
  (void)layout.focus("gantt");
  return layout;
}

PanelLayout default_layout() { return default_layout(formats::Format().panels); }

namespace {

// Of a trace that grows nobody knows.
bool has_something_to_show(std::string_view kind, const store::Trace* trace) {
  if (!trace || !trace->is_complete()) return true;
  if (kind == "flame") return trace->counts()[trace::Category::kState] > 0;
  if (kind == "sequence" || kind == "traffic") return trace->counts()[trace::Category::kLink] > 0;
  return true;
}

// What the type wants, of that what there is something of; if that is nothing, what most have.
PanelLayout layout_for(const formats::Format& type, const store::Trace* trace) {
  std::vector<std::string> panels = type.panels;
  std::erase_if(panels,
                [&](const std::string& kind) { return !has_something_to_show(kind, trace); });
  const bool has_none_left = panels.empty() && !type.panels.empty();
  return has_none_left ? default_layout() : default_layout(panels);
}

}  // namespace

void arrange_for_type(Session& session) {
  const OpenTrace* trace = session.trace();
  const formats::FormatPtr type = trace ? formats::format_from_id(trace->format()) : nullptr;
  session.layout = type ? layout_for(*type, trace->trace().get()) : default_layout();
  session.arranged = session.layout;
  if (!type) return;
  for (const std::string& kind : type->panels) {
    if (find_panel(kind)) continue;
    std::string told =
        fmt::format("The trace type '{}' wants the panel '{}', which there is none of", type->id,
                    printable(kind));
    const bool is_told =
        std::ranges::find(session.messages, told, &Message::text) != session.messages.end();
    if (!is_told) session.say(std::move(told), /*is_error=*/true);
  }
}

void arrange_for_opened(Session& session, const OpenTrace& trace) {
  if (&trace == session.trace() && !session.has_own_layout()) arrange_for_type(session);
}

std::optional<std::string> open_panel(PanelLayout& layout, const PanelRow& row) {
  if (const PanelInstance* open = layout.first_of(row.id)) {
    (void)layout.focus(open->id);
    return open->id;
  }
  const PanelInstance* before = nullptr;  // the last open one that the table has above it …
  const PanelInstance* after = nullptr;   // … and the first below
  for (const PanelRow& other : kPanels) {
    const PanelInstance* open = layout.first_of(other.id);
    if (!open || other.place != row.place) continue;
    if (&other < &row) before = open;
    if (&other > &row && !after) after = open;
  }
  if (row.place == PanelPlace::kColumn) {
    return after ? layout.open(row.id, after->id, Side::kTop, row.size_px)
                 : layout.open(row.id, before ? before->id : "", Side::kBottom, row.size_px);
  }
  if (!before) before = after;
  if (before && row.place != PanelPlace::kBeside) {
    const bool needs_more = row.size_px > find_panel(before->kind)->size_px;
    const auto id = layout.open(row.id, before->id, Side::kTab);
    using Kind = LayoutNode::Kind;
    if (id && needs_more)
      layout.grow(*id, row.place == PanelPlace::kBottom ? Kind::kColumn : Kind::kRow, row.size_px);
    return id;
  }
  const Side side = row.place == PanelPlace::kBottom ? Side::kBottom : Side::kRight;
  return layout.open(row.id, "", side, row.size_px);
}

std::optional<std::string> open_another(PanelLayout& layout, const PanelRow& row) {
  const PanelInstance* open = layout.first_of(row.id);
  return open ? layout.open(row.id, open->id, Side::kTab) : open_panel(layout, row);
}

Status room_for(Session& session, const PanelLayout& layout, const PanelRow& row, size_t wanted) {
  if (layout.panels().size() - layout.count_of(row.id) + wanted > PanelLayout::kMaxPanels) {
    return fail(fmt::format("no more than {} panels can be open", PanelLayout::kMaxPanels));
  }
  if (wanted <= session.panels_per_kind) return {};
  session.remedy = Offer{fmt::format("Allow {} of each kind", wanted),
                         "set",
                         {{"name", "panels_per_kind"}, {"value", wanted}}};
  return fail(fmt::format("the setting panels_per_kind allows no more than {} of '{}'",
                          counted(session.panels_per_kind, "panel"), row.title));
}

void offer_sheet(const PanelInput& input, std::string_view table, bool is_stale,
                 const std::function<Sheet()>& make, PanelOutput& output) {
  if (is_stale) return;
  for (const TableOrder& order : input.session.table_orders) {
    if (order.panel != input.id || order.table != table) continue;
    output.tables.push_back({order.serial, make()});
  }
}

uint32_t new_gesture() {
  static uint32_t last = 0;  // panels live on the frame thread
  return ++last;
}

}  // namespace weft::app
