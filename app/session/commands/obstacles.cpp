#include "app/session/commands/obstacles.h"

#include <fmt/core.h>

#include <algorithm>
#include <optional>

#include "app/session/losses.h"
#include "app/session/panel_kinds.h"
#include "app/session/panel_options.h"
#include "app/session/slice_choice.h"
#include "core/layout/lane_order.h"

namespace weft::app {
namespace {

// What is in the way of commands on the current trace that want something of it.
template <typename Has>
std::string needs(const Session& session, const char* obstacle, const Has& has) {
  const OpenTrace* trace = session.trace();
  if (!trace) return needs_trace(session);
  return has(*trace) ? "" : obstacle;
}

bool has_element(const OpenTrace& trace) { return trace.trace() && trace.element(); }

// In the window that is shown, cut as it is: 0 its begin, 1 its end.
double place_shown(const OpenTrace& trace, Time time) {
  const FoldedTime& folds = trace.folded_time();
  return folds.fold(trace.view().window).fraction_from_time(folds.fold(time));
}

// Nothing: no statistics panel has the focus.
std::optional<SliceChoice> focused_slices(const Session& session) {
  const PanelLayout& layout = session.desk.layout;
  const PanelInstance* panel = layout.find(layout.focused());
  if (!panel || panel->kind != "statistics") return std::nullopt;
  return slice_choice(panel->options);
}

template <typename Has>
std::string needs_of_slices(const Session& session, const char* obstacle, const Has& has) {
  const auto choice = focused_slices(session);
  if (!choice) return needs_statistics(session);
  return has(*choice) ? "" : obstacle;
}

// Without a trace nobody sees the panels that are of one.
bool is_seen(const Session& session, const PanelInstance& panel) {
  const PanelKind* kind = find_panel_kind(panel.kind);
  return session.trace() || (kind && !kind->is_of_trace);
}

}  // namespace

std::string needs_trace(const Session& session) {
  return session.trace() ? "" : "no trace is open";
}

std::string needs_several_traces(const Session& session) {
  return needs(session, "no other trace is open",
               [&](const OpenTrace&) { return session.traces.size() > 1; });
}

std::string needs_coupled_traces(const Session& session) {
  const std::string obstacle = needs_several_traces(session);
  if (!obstacle.empty() || session.couples_traces) return obstacle;
  return "the traces do not move together";
}

std::string needs_loading(const Session& session) {
  const OpenTrace* trace = session.trace();
  const Opening* opening = trace ? trace->opening() : nullptr;
  if (opening && opening->is_stopping()) return "it is being stopped already";
  if (opening && opening->ordered_share()) return "all is read, and is being put in order";
  return needs(session, "nothing is being loaded", [](const OpenTrace& current) {
    return current.opening() && !current.opening()->is_done();
  });
}

std::string needs_live(const Session& session) {
  return needs(session, "the trace does not come through a pipe",
               [](const OpenTrace& trace) { return trace.is_live(); });
}

std::string needs_symbols(const Session& session) {
  return needs(session, "no names come from sources",
               [](const OpenTrace& trace) { return !trace.names().paths().empty(); });
}

std::string needs_placed_losses(const Session& session) {
  return needs(session, "the trace has no problem whose time is known", [](const OpenTrace& trace) {
    return trace.trace() && !placed_losses(trace.trace()->dictionary().report).empty();
  });
}

std::string needs_element(const Session& session) {
  return needs(session, "no element is selected (click one)", has_element);
}

std::string needs_links(const Session& session) {
  return needs(session, "the trace has no links", [](const OpenTrace& trace) {
    return trace.trace() && trace.trace()->counts()[trace::Category::kLink] > 0;
  });
}

std::string needs_linked_element(const Session& session) {
  const std::string obstacle = needs_links(session);
  return obstacle.empty() ? needs_element(session) : obstacle;
}

std::string needs_range_or_element(const Session& session) {
  return needs(session, "nothing is selected (drag on the ruler, or click)",
               [](const OpenTrace& trace) { return trace.selection || has_element(trace); });
}

std::string needs_range_or_lanes(const Session& session) {
  return needs(
      session, "no range and no lane is selected (drag on the ruler)",
      [](const OpenTrace& trace) { return trace.selection || !trace.selected_lanes.empty(); });
}

std::string needs_lanes(const Session& session) {
  return needs(session, "no lane is selected (click a name)",
               [](const OpenTrace& trace) { return !trace.selected_lanes.empty(); });
}

std::string needs_lanes_left_out(const Session& session) {
  return needs(session, "all lanes are shown", [](const OpenTrace& trace) {
    const layout::LaneArrangement& now = trace.arrangement();
    if (!now.hidden.empty() || !now.filter.empty() || now.hides_empty) return true;
    const store::TracePtr snapshot = trace.trace();
    return snapshot && !now.shows_eventless &&
           layout::has_eventless(snapshot->dictionary(), snapshot->rows());
  });
}

std::string needs_hidden_lanes(const Session& session) {
  return needs(session, "no lane is hidden",
               [](const OpenTrace& trace) { return !trace.arrangement().hidden.empty(); });
}

std::string needs_pinned_lanes(const Session& session) {
  return needs(session, "no lane is kept at the top",
               [](const OpenTrace& trace) { return !trace.arrangement().pinned.empty(); });
}

std::string needs_folded_lanes(const Session& session) {
  return needs(session, "no lane is folded",
               [](const OpenTrace& trace) { return !trace.collapsed().empty(); });
}

std::string needs_lane_groups(const Session& session) {
  return needs(session, "there is no group of lanes",
               [](const OpenTrace& trace) { return !trace.arrangement().groups.empty(); });
}

std::string needs_own_lane_order(const Session& session) {
  return needs(session, "the lanes are as in the trace", [](const OpenTrace& trace) {
    return trace.arrangement() != layout::LaneArrangement();
  });
}

std::string needs_filter(const Session& session) {
  return needs(session, "no filter is set",
               [](const OpenTrace& trace) { return trace.view().filter.is_set(); });
}

std::string needs_markers(const Session& session) {
  return needs(session, "no marker is set",
               [](const OpenTrace& trace) { return !trace.markers.all().empty(); });
}

std::string needs_cursors(const Session& session) {
  return needs(session, "neither cursor A nor B is set",
               [](const OpenTrace& trace) { return trace.markers.a() || trace.markers.b(); });
}

std::string needs_part_shown(const Session& session) {
  return needs(session, "all of the trace is shown", [](const OpenTrace& trace) {
    return !trace.shows_all() || trace.history().views().follow != Follow::kWhole;
  });
}

std::string needs_undo_step(const Session& session) {
  return needs(session, "no earlier view",
               [&](const OpenTrace&) { return session.undo_step().has_value(); });
}

std::string needs_redo_step(const Session& session) {
  return needs(session, "no later view",
               [&](const OpenTrace&) { return session.redo_step().has_value(); });
}

std::string needs_time_after(const Session& session) {
  return needs(session, "nothing is after this",
               [](const OpenTrace& trace) { return place_shown(trace, trace.reach().end) > 1; });
}

std::string needs_time_before(const Session& session) {
  return needs(session, "nothing is before this",
               [](const OpenTrace& trace) { return place_shown(trace, trace.reach().begin) < 0; });
}

std::string needs_kept_views(const Session& session) {
  return needs(session, "no view is kept", [](const OpenTrace& trace) {
    return std::ranges::any_of(trace.bookmarks, [](const auto& kept) { return kept.has_value(); });
  });
}

std::string needs_kept_view(const Session& session, size_t slot) {
  const OpenTrace* trace = session.trace();
  if (!trace) return needs_trace(session);
  return trace->bookmarks[slot] ? "" : fmt::format("no view is kept as {}", slot);
}

std::string needs_panel(const Session& session) {
  const auto& open = session.desk.layout.panels();
  if (open.empty()) return "no panel is open";
  const bool sees_any =
      std::ranges::any_of(open, [&](const auto& panel) { return is_seen(session, panel); });
  return sees_any ? "" : needs_trace(session);
}

std::string needs_focused_panel(const Session& session) {
  if (std::string obstacle = needs_panel(session); !obstacle.empty()) return obstacle;
  const PanelLayout& layout = session.desk.layout;
  const PanelInstance* focused = layout.find(layout.focused());
  return focused && is_seen(session, *focused) ? "" : "no panel has the focus (click into one)";
}

std::string needs_table(const Session& session) {
  const auto has_table = [&](const PanelInstance& panel) {
    const PanelKind* kind = find_panel_kind(panel.kind);
    return kind && is_seen(session, panel) && check_option(*kind, "sort", "").has_value();
  };
  return std::ranges::any_of(session.desk.layout.panels(), has_table) ? "" : "no table is open";
}

std::string needs_timeline(const Session& session) {
  return session.desk.layout.first_of("gantt") ? "" : "no timeline is open";
}

std::string needs_bars(const Session& session) {
  const PanelLayout& layout = session.desk.layout;
  const bool is_open = layout.first_of("overview") || layout.first_of("density");
  return is_open ? "" : "no overview and no event density is open";
}

std::string needs_timeline_of_trace(const Session& session) {
  const std::string obstacle =
      needs(session, "the trace is still empty",
            [](const OpenTrace& trace) { return trace.trace() != nullptr; });
  return obstacle.empty() ? needs_timeline(session) : obstacle;
}

std::string needs_sequence(const Session& session) {
  return session.desk.layout.first_of("sequence") ? "" : "no sequence diagram is open";
}

std::string needs_sql(const Session& session) {
  return session.desk.layout.first_of("sql") ? "" : "it needs an SQL panel (open one)";
}

std::string needs_statistics(const Session& session) {
  return focused_slices(session) ? "" : "it needs a statistics panel (click one)";
}

std::string needs_slices(const Session& session) {
  return needs_of_slices(session, "no slice is selected (click one)",
                         [](const SliceChoice& choice) { return !choice.selected.empty(); });
}

std::string needs_excluded_slices(const Session& session) {
  return needs_of_slices(session, "no slice is excluded",
                         [](const SliceChoice& choice) { return !choice.excluded.empty(); });
}

std::string needs_merged_slices(const Session& session) {
  return needs_of_slices(session, "no merged slice is selected", [](const SliceChoice& choice) {
    return std::ranges::any_of(choice.merged, [&](const MergedSlice& slice) {
      return choice.selected.contains(slice.name);
    });
  });
}

std::string needs_view_groups(const Session& session) {
  return session.desk.groups.empty() ? "there is no group of views" : "";
}

std::string needs_report(const Session& session) {
  return session.report.items.empty() ? "no panel is in the report" : "";
}

std::string needs_kept_layouts(const Session& session) {
  return session.desk.saved_layouts.empty() ? "no layout is kept" : "";
}

std::string needs_kept_filters(const Session& session) {
  return session.kept_filters.empty() ? "no filter is kept" : "";
}

std::string needs_recent_files(const Session& session) {
  return session.recent.files.empty() ? "no file is recent" : "";
}

std::string needs_connections(const Session& session) {
  return session.connections.empty() ? "no connection is kept" : "";
}

std::string needs_jobs(const Session& session) {
  return session.jobs.empty() ? "nothing is being written" : "";
}

std::string needs_own_colors(const Session& session) {
  const Look& look = session.look;
  const bool has_any = !look.type_colors->empty() || !look.lane_colors->empty();
  return has_any ? "" : "no colour was changed";
}

std::string needs_own_size(const Session& session) {
  return session.look.font_scale == 1 ? "everything has its usual size" : "";
}

std::string needs_message_classes(const Session& session) {
  const OpenTrace* trace = session.trace();
  const MessageClassesPtr& classes =
      trace ? message_classes_of(session, *trace) : session.message_classes;
  return classes->empty() ? "there are no classes of messages" : "";
}

std::string needs_own_keys(const Session& session) {
  return session.keys.to_json().empty() ? "no key was changed" : "";
}

}  // namespace weft::app
