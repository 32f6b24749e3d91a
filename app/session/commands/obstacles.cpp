#include "app/session/commands/obstacles.h"

#include <fmt/core.h>

#include "app/session/losses.h"

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

}  // namespace

std::string needs_trace(const Session& session) {
  return session.trace() ? "" : "no trace is open";
}

std::string needs_several_traces(const Session& session) {
  return needs(session, "no other trace is open",
               [&](const OpenTrace&) { return session.traces.size() > 1; });
}

std::string needs_loading(const Session& session) {
  return needs(session, "nothing is being loaded", [](const OpenTrace& trace) {
    return trace.opening() && !trace.opening()->is_done();
  });
}

std::string needs_live(const Session& session) {
  return needs(session, "the trace does not come through a pipe",
               [](const OpenTrace& trace) { return trace.is_live(); });
}

std::string needs_symbols(const Session& session) {
  return needs(session, "no names come from sources",
               [](const OpenTrace& trace) { return !trace.symbol_paths().empty(); });
}

std::string needs_placed_losses(const Session& session) {
  return needs(session, "the trace has no loss whose time is known", [](const OpenTrace& trace) {
    return trace.trace() && !placed_losses(trace.trace()->dictionary().report).empty();
  });
}

std::string needs_element(const Session& session) {
  return needs(session, "no element is selected (click one)", has_element);
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

std::string needs_undo_step(const Session& session) {
  return needs(session, "nothing to undo",
               [&](const OpenTrace&) { return session.undo_step().has_value(); });
}

std::string needs_redo_step(const Session& session) {
  return needs(session, "nothing to redo",
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

std::string needs_kept_view(const Session& session, size_t slot) {
  const OpenTrace* trace = session.trace();
  if (!trace) return needs_trace(session);
  return trace->bookmarks[slot] ? "" : fmt::format("no view is kept as {}", slot);
}

std::string needs_panel(const Session& session) {
  return session.desk.layout.panels().empty() ? "no panel is open" : "";
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

std::string needs_own_keys(const Session& session) {
  return session.keys.to_json().empty() ? "no key was changed" : "";
}

}  // namespace weft::app
