// Why commands can do nothing now (CommandRow::obstacle): menus and the palette dim what cannot be
// done and say why, and a command that is run even so fails with the same words. Empty: nothing is
// in the way. Cheap: asked for every item of an open menu in each frame.
#pragma once

#include <string>
#include <utility>

#include "app/session/session.h"
#include "core/base/result.h"

namespace weft::app {

// Fails with the obstacle, where there is one.
inline Status clear_of(std::string obstacle) {
  return obstacle.empty() ? Status() : fail(std::move(obstacle));
}

std::string needs_trace(const Session& session);
std::string needs_several_traces(const Session& session);
std::string needs_coupled_traces(const Session& session);
std::string needs_loading(const Session& session);
std::string needs_live(const Session& session);  // it comes through a pipe
std::string needs_symbols(const Session& session);
std::string needs_placed_losses(const Session& session);

std::string needs_element(const Session& session);
std::string needs_links(const Session& session);
std::string needs_linked_element(const Session& session);  // selected, and links in the trace
std::string needs_range_or_element(const Session& session);
std::string needs_range_or_lanes(const Session& session);
std::string needs_lanes(const Session& session);           // selected ones
std::string needs_lanes_left_out(const Session& session);  // hidden, filtered, without events
std::string needs_hidden_lanes(const Session& session);
std::string needs_pinned_lanes(const Session& session);
std::string needs_folded_lanes(const Session& session);
std::string needs_lane_groups(const Session& session);
std::string needs_own_lane_order(const Session& session);  // in any way not as in the trace
std::string needs_filter(const Session& session);
std::string needs_markers(const Session& session);
std::string needs_cursors(const Session& session);

std::string needs_part_shown(const Session& session);  // not all of the trace
std::string needs_undo_step(const Session& session);
std::string needs_redo_step(const Session& session);
std::string needs_time_after(const Session& session);  // what is shown
std::string needs_time_before(const Session& session);
std::string needs_kept_views(const Session& session);
std::string needs_kept_view(const Session& session, size_t slot);
template <size_t kSlot>
std::string needs_kept_view(const Session& session) {
  return needs_kept_view(session, kSlot);
}

std::string needs_panel(const Session& session);  // that is seen
std::string needs_focused_panel(const Session& session);
std::string needs_table(const Session& session);  // that can be sorted
std::string needs_timeline(const Session& session);
std::string needs_bars(const Session& session);               // an overview, or a density of events
std::string needs_timeline_of_trace(const Session& session);  // of which something is there
std::string needs_sequence(const Session& session);
std::string needs_sql(const Session& session);
// Of the statistics panel that has the focus.
std::string needs_statistics(const Session& session);
std::string needs_slices(const Session& session);  // selected ones
std::string needs_excluded_slices(const Session& session);
std::string needs_merged_slices(const Session& session);  // among those selected

std::string needs_kept_layouts(const Session& session);
std::string needs_view_groups(const Session& session);
std::string needs_report(const Session& session);
std::string needs_kept_filters(const Session& session);
std::string needs_recent_files(const Session& session);
std::string needs_connections(const Session& session);
std::string needs_jobs(const Session& session);
std::string needs_own_keys(const Session& session);
std::string needs_own_colors(const Session& session);
std::string needs_own_size(const Session& session);  // of everything
std::string needs_message_classes(const Session& session);

}  // namespace weft::app
