#include "app/session/panel_kinds.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <ranges>

#include "core/base/counted.h"
#include "core/base/text.h"
#include "core/formats/formats.h"

namespace weft::app {
namespace {

constexpr PanelKind kKinds[] = {
    // id, title, place, size_px; has_time_axis, has_table, is_of_range, is_of_trace
    {"overview", "Overview", PanelPlace::kColumn, 76, true, false, false, true},
    {"gantt", "Timeline", PanelPlace::kColumn, 0, true, true, true, true},
    {"density", "Event density", PanelPlace::kColumn, 132, true, true, true, true},
    {"sequence", "Sequence diagram", PanelPlace::kBeside, 620, false, false, true, true},
    {"inspector", "Inspector", PanelPlace::kRight, 320, false, true, false, true},
    {"markers", "Markers", PanelPlace::kRight, 320, false, true, false, true},
    {"events", "Event table", PanelPlace::kBottom, 260, false, true, true, true},
    {"selection", "Selection", PanelPlace::kBottom, 260, false, true, true, true},
    {"statistics", "Statistics", PanelPlace::kBottom, 260, false, true, true, true},
    {"pages", "Ready-made tables", PanelPlace::kBottom, 260, false, true, true, true},
    {"durations", "Durations", PanelPlace::kBottom, 260, false, true, true, true},
    {"traffic", "Traffic", PanelPlace::kBottom, 320, false, true, true, true},
    {"flame", "Flame graph", PanelPlace::kBottom, 380, false, true, true, true},
    {"causality", "Causes and effects", PanelPlace::kBottom, 260, false, true, false, true},
    {"compare", "Comparison", PanelPlace::kBottom, 260, false, true, true, true},
    {"legend", "Legend", PanelPlace::kRight, 400, false, true, true, true},
    {"sql", "SQL", PanelPlace::kBottom, 260, false, true, false, true},
    {"journal", "Journal", PanelPlace::kRight, 320, false, true, false, false},
    {"console", "Console", PanelPlace::kBottom, 220, false, false, false, false},
    {"memory", "Memory", PanelPlace::kBottom, 260, false, true, false, false},
    {"trace-type", "Custom trace type", PanelPlace::kOver, 420, false, true, false, false},
    {"classes", "Message classes", PanelPlace::kRight, 340, false, true, false, true},
    {"quality", "Data quality", PanelPlace::kBottom, 260, false, true, false, true},
};

}  // namespace

std::span<const PanelKind> panel_kinds() { return kKinds; }

const PanelKind* find_panel_kind(std::string_view id) {
  const auto kind = std::ranges::find(kKinds, id, &PanelKind::id);
  return kind == std::end(kKinds) ? nullptr : kind;
}

Result<const PanelKind*> panel_kind_named(std::string_view id) {
  if (const PanelKind* kind = find_panel_kind(id)) return kind;
  return fail(fmt::format("'{}' is not a panel: there are {}", printable(id),
                          fmt::join(kKinds | std::views::transform(&PanelKind::id), ", ")));
}

PanelLayout default_layout(std::span<const std::string> panels) {
  PanelLayout layout;
  (void)open_panel(layout, *find_panel_kind("overview"));
  (void)open_panel(layout, *find_panel_kind("gantt"));
  for (const std::string& kind : panels) {
    if (const PanelKind* known = find_panel_kind(kind)) (void)open_panel(layout, *known);
  }
  (void)layout.focus("gantt");
  return layout;
}

PanelLayout default_layout() { return default_layout(formats::Format().panels); }

namespace {

// Stacks, or the shares of a flat profile; states of which none lies in another are a schedule
// where CPUs have some.
bool has_stacks(const store::Trace& trace) {
  bool is_nested = false, has_states = false, has_cpus = false;
  for (const store::Row& row : trace.rows()) {
    if (row.kind != store::RowKind::kState) continue;
    has_states = true;
    is_nested |= row.depth > 0;
    has_cpus |= trace.dictionary().lane(row.lane).kind == trace::LaneKind::kCpu;
  }
  return is_nested || (has_states && !has_cpus);
}

// Unknown while a trace grows: true.
bool has_something_to_show(std::string_view kind, const store::Trace* trace) {
  if (!trace || !trace->is_complete()) return true;
  if (kind == "flame") return has_stacks(*trace);
  if (kind == "sequence" || kind == "traffic") return trace->counts()[trace::Category::kLink] > 0;
  return true;
}

// Samples without times: the timeline shows the same stacks, one after the other.
bool is_without_time(const formats::Format& type, const OpenTrace& trace) {
  return type.category == "Profiles" && trace.trace() && trace.time_base() == TimeBase::kTicks;
}

void give_most_room(PanelLayout& layout, const PanelInstance& panel) {
  constexpr double kShare = 0.8;
  const std::string kind = panel.kind;
  (void)layout.close(std::string(panel.id));
  const auto id = layout.open(kind, "gantt", Side::kBottom);
  if (id) (void)layout.resize_share(*id, "gantt", kShare);
  (void)layout.focus("gantt");
}

// Events without length, one line each.
bool is_log(std::span<const std::string> panels, const store::Trace* trace) {
  return trace && std::ranges::equal(panels, std::array{"density", "events"}) &&
         trace->counts()[trace::Category::kPunctual] == trace->counts().total();
}

// A log is read: its lines have half of the window.
void give_half_to_lines(PanelLayout& layout) {
  (void)layout.resize({{"overview", 76}, {"gantt", 170}, {"density", 90}, {"events", 330}});
}

// The panels that the type wants and that have something to show; if none has, those of most types.
PanelLayout layout_for(const formats::Format& type, const OpenTrace& of) {
  const store::Trace* const trace = of.trace().get();
  std::vector<std::string> panels = type.panels;
  std::erase_if(panels,
                [&](const std::string& kind) { return !has_something_to_show(kind, trace); });
  const bool has_none_left = panels.empty() && !type.panels.empty();
  PanelLayout layout = has_none_left ? default_layout() : default_layout(panels);
  const PanelInstance* const flame = layout.first_of("flame");
  if (flame && is_without_time(type, of)) give_most_room(layout, *flame);
  if (is_log(panels, trace)) give_half_to_lines(layout);
  return layout;
}

// Reports kinds that do not exist.
PanelLayout layout_for_current(Session& session) {
  const OpenTrace* trace = session.trace();
  const formats::FormatPtr type = trace ? formats::format_from_id(trace->format()) : nullptr;
  if (!type) return default_layout();
  for (const std::string& kind : type->panels) {
    if (find_panel_kind(kind)) continue;
    std::string told =
        fmt::format("The trace type '{}' wants the panel '{}', which there is none of", type->id,
                    printable(kind));
    const bool is_told =
        std::ranges::find(session.messages.all, told, &Message::text) != session.messages.all.end();
    if (!is_told) session.messages.say(std::move(told), /*is_error=*/true);
  }
  return layout_for(*type, *trace);
}

}  // namespace

void arrange_as_at_first(Session& session) {
  session.desk.arrange_as_at_first(layout_for_current(session));
}

void arrange_for_current(Session& session) {
  const OpenTrace* trace = session.trace();
  if (!trace || trace->format().empty()) return;
  Desk& desk = session.desk;
  const uint64_t before = std::exchange(desk.arranged_for, trace->id());
  if (!desk.has_linked_panels_only()) return;
  const bool is_of_user = desk.layout.to_json() != desk.begun.to_json();
  PanelLayout wanted = layout_for_current(session);
  if (is_of_user && (before == 0 || before == trace->id())) {
    if (before == 0) desk.begun_of.clear();
    desk.arranged = std::move(wanted);
  } else {
    desk.arrange(std::move(wanted));
  }
}

void arrange_for_opened(Session& session, const OpenTrace& trace) {
  const uint64_t arranged_for = session.desk.arranged_for;
  const bool is_other = arranged_for != 0 && arranged_for != trace.id();
  if (session.couples_traces && is_other) return;  // they share their panels
  if (&trace == session.trace()) arrange_for_current(session);
}

std::optional<std::string> open_panel(PanelLayout& layout, const PanelKind& kind) {
  if (const PanelInstance* open = layout.first_of(kind.id)) {
    (void)layout.focus(open->id);
    return open->id;
  }
  const PanelInstance* timeline = layout.first_of("gantt");
  const bool is_wide = std::ranges::none_of(layout.panels(), [](const PanelInstance& open) {
    const PanelKind* of = find_panel_kind(open.kind);
    return of && (of->place == PanelPlace::kRight || of->place == PanelPlace::kBeside);
  });
  if (kind.place == PanelPlace::kOver && timeline && is_wide)
    return layout.open(kind.id, timeline->id, Side::kTab);
  const PanelInstance* before = nullptr;  // the last open one that the table has above it …
  const PanelInstance* after = nullptr;   // … and the first below
  for (const PanelKind& other : kKinds) {
    const PanelInstance* open = layout.first_of(other.id);
    if (!open || other.place != kind.place) continue;
    if (&other < &kind) before = open;
    if (&other > &kind && !after) after = open;
  }
  if (kind.place == PanelPlace::kColumn) {
    return after ? layout.open(kind.id, after->id, Side::kTop, kind.size_px)
                 : layout.open(kind.id, before ? before->id : "", Side::kBottom, kind.size_px);
  }
  if (!before) before = after;
  if (before && kind.place != PanelPlace::kBeside) {
    const bool needs_more = kind.size_px > find_panel_kind(before->kind)->size_px;
    const auto id = layout.open(kind.id, before->id, Side::kTab);
    using Kind = LayoutNode::Kind;
    if (id && needs_more)
      layout.grow(*id, kind.place == PanelPlace::kBottom ? Kind::kColumn : Kind::kRow,
                  kind.size_px);
    return id;
  }
  const bool is_below = kind.place == PanelPlace::kBottom || kind.place == PanelPlace::kOver;
  const Side side = is_below ? Side::kBottom : Side::kRight;
  return layout.open(kind.id, "", side, kind.size_px);
}

std::optional<std::string> open_another(PanelLayout& layout, const PanelKind& kind) {
  const PanelInstance* open = layout.first_of(kind.id);
  return open ? layout.open(kind.id, open->id, Side::kTab) : open_panel(layout, kind);
}

Status room_for(Session& session, const PanelLayout& layout, const PanelKind& kind, size_t wanted) {
  if (layout.panels().size() - layout.count_of(kind.id) + wanted > PanelLayout::kMaxPanels) {
    return fail(fmt::format("no more than {} panels can be open", PanelLayout::kMaxPanels));
  }
  if (wanted <= session.desk.panels_per_kind) return {};
  session.messages.remedy = Offer{fmt::format("Allow {} of each kind", wanted),
                                  "set",
                                  {{"name", "panels_per_kind"}, {"value", wanted}}};
  return fail(fmt::format("the setting panels_per_kind allows no more than {} of '{}'",
                          counted(session.desk.panels_per_kind, "panel"), kind.title));
}

}  // namespace weft::app
