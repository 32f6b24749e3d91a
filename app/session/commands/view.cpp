// Commands on what is shown and selected of the time line.

#include <fmt/core.h>

#include <algorithm>
#include <vector>

#include "app/session/commands/arguments.h"
#include "app/session/commands/groups.h"
#include "app/session/commands/obstacles.h"
#include "app/session/element_finder.h"
#include "app/session/typed_time.h"
#include "core/base/saturating.h"
#include "core/query/filter/filter_expression.h"

namespace weft::app {
namespace {

constexpr double kCloser = 10;  // is a place that one goes to within what was shown

void go_to(OpenTrace& trace, const TimeWindow& window, uint32_t gesture) {
  View view = trace.view();
  view.window = trace.clamped(window);
  trace.navigate(view, gesture);
}

Status view_set(Session& session, const Command& command) {
  WEFT_TRY_ASSIGN(OpenTrace * trace, current(session));
  WEFT_TRY_ASSIGN(const TimeRange range, range_args(command.args, *trace));
  TimeWindow window = TimeWindow::from_range(range);
  WEFT_TRY_ASSIGN(window.begin_fraction,
                  number_arg(command.args, "fraction", window.begin_fraction));
  if (window.begin_fraction < 0 || window.begin_fraction >= 1)
    return fail("'fraction' must be in [0, 1)");
  if (command.args.contains("length")) {
    WEFT_TRY_ASSIGN(window.length, positive_arg(command.args, "length"));
  }
  go_to(*trace, window, command.gesture);
  return {};
}

Status view_zoom(Session& session, const Command& command) {
  WEFT_TRY_ASSIGN(OpenTrace * trace, current(session));
  WEFT_TRY_ASSIGN(const double factor, positive_arg(command.args, "factor"));
  const FoldedTime folds = trace->folded_time();
  const TimeWindow window = folds.fold(trace->view().window);
  const bool stays_at_end = trace->is_live() && trace->history().views().follow == Follow::kEnd;
  double at = stays_at_end ? 1 : 0.5;
  if (!stays_at_end && command.args.contains("at")) {
    WEFT_TRY_ASSIGN(const Time time, time_arg(command.args, "at", *trace));
    at = window.fraction_from_time(folds.fold(time));
  }
  go_to(*trace, folds.unfold(trace->zoomed(window, factor, at)), command.gesture);
  if (stays_at_end) trace->follow_end(command.gesture);
  return {};
}

Status view_pan(Session& session, const Command& command) {
  WEFT_TRY_ASSIGN(OpenTrace * trace, current(session));
  const FoldedTime folds = trace->folded_time();
  const TimeWindow window = folds.fold(trace->view().window);
  double ticks = 0;
  if (command.args.contains("ticks")) {
    WEFT_TRY_ASSIGN(ticks, number_arg(command.args, "ticks"));
  } else {
    WEFT_TRY_ASSIGN(const double fraction, number_arg(command.args, "fraction"));
    ticks = fraction * window.length;
  }
  go_to(*trace, folds.unfold(window.panned(ticks)), command.gesture);
  return {};
}

Status view_fit(Session& session, const Command& command) {
  WEFT_TRY_ASSIGN(OpenTrace * trace, current(session));
  trace->fit(command.gesture);
  return {};
}

Status view_end(Session& session, const Command& command) {
  WEFT_TRY_ASSIGN(OpenTrace * trace, current(session));
  WEFT_TRY_ASSIGN(const bool follows, flag_arg(command.args, "follow", true));
  if (follows)
    trace->follow_end(command.gesture);
  else
    trace->history().follow(Follow::kNothing);
  return {};
}

Status view_zoom_to_selection(Session& session, const Command& command) {
  WEFT_TRY_ASSIGN(OpenTrace * trace, current(session));
  if (trace->selection) {
    go_to(*trace, TimeWindow::from_range(*trace->selection), command.gesture);
    return {};
  }
  WEFT_TRY(clear_of(needs_range_or_element(session)));
  const TimeRange extent = extent_of(*trace->element());
  go_to(*trace, trace->view().window.zoomed_to(extent, trace->reach()), command.gesture);
  return {};
}

// Where there is no other view nothing has gone wrong.
Status view_undo(Session& session, const Command&) {
  WEFT_TRY(clear_of(needs_trace(session)));
  if (!session.undo()) session.messages.say("No earlier view");
  return {};
}

Status view_redo(Session& session, const Command&) {
  WEFT_TRY(clear_of(needs_trace(session)));
  if (!session.redo()) session.messages.say("No later view");
  return {};
}

// The window of the same length just after (before) this one, where the trace goes on there.
template <int kSign>
Status view_step(Session& session, const Command& command) {
  WEFT_TRY_ASSIGN(OpenTrace * trace, current(session));
  const FoldedTime folds = trace->folded_time();
  const TimeWindow window = folds.fold(trace->view().window);
  WEFT_TRY(clear_of(kSign > 0 ? needs_time_after(session) : needs_time_before(session)));
  go_to(*trace, folds.unfold(window.panned(kSign * window.length)), command.gesture);
  return {};
}

// The time in the middle, at the same zoom; closer where nothing would move: the time is there
// already, or all of the trace is shown.
Status view_go(Session& session, const Command& command) {
  WEFT_TRY_ASSIGN(OpenTrace * trace, current(session));
  TimeRange place;
  if (const auto typed = command.args.find("at");
      typed != command.args.end() && typed->is_string()) {
    WEFT_TRY_ASSIGN(place, typed_place(typed->get_ref<const std::string&>(), *trace));
  } else {
    WEFT_TRY_ASSIGN(place.begin, time_arg(command.args, "at", *trace));
    place.end = place.begin;
  }
  if (!place.is_empty()) {
    go_to(*trace, TimeWindow::from_range(place), command.gesture);
    return {};
  }
  const FoldedTime folds = trace->folded_time();
  const TimeWindow window = folds.fold(trace->view().window);
  const TimeRange ends = {folds.fold(trace->reach().begin), folds.fold(trace->reach().end)};
  const double moved = window.fraction_from_time(folds.fold(place.begin)) - 0.5;
  const TimeWindow around = window.panned(moved * window.length);
  TimeWindow there = around.within(ends);
  const bool has_all =
      window.fraction_from_time(ends.begin) >= 0 && window.fraction_from_time(ends.end) <= 1;
  if (has_all || there.looks_like(window)) there = trace->zoomed(around, kCloser, 0.5).within(ends);
  go_to(*trace, folds.unfold(there), command.gesture);
  return {};
}

// On, off, or on with another length or of something else.
Status compress(Session& session, const Command& command) {
  WEFT_TRY_ASSIGN(OpenTrace * trace, current(session));
  const bool is_set = command.args.contains("longer_than") || command.args.contains("where");
  WEFT_TRY_ASSIGN(const bool is_on,
                  flag_arg(command.args, "on", is_set || !session.cut_from(*trace).has_value()));
  if (!is_on) {
    session.set_cut(*trace, std::nullopt, new_step());
    return {};
  }
  CutRule rule{Duration{saturating_round(trace->view().window.length * OpenTrace::kLeastCut)}};
  if (command.args.contains("longer_than")) {
    WEFT_TRY_ASSIGN(rule.least, duration_arg(command.args, "longer_than", *trace));
  }
  if (rule.least.ticks < 0) return fail("'longer_than' must not be negative");
  rule.least = std::max(rule.least, Duration{1});
  WEFT_TRY_ASSIGN(rule.where, text_arg(command.args, "where", ""));
  if (rule.where.find_first_not_of(" \t") == std::string::npos) rule.where.clear();
  const auto parsed = query::parse_filter(rule.where);
  if (!parsed) return fail(parsed.error().one_line(rule.where));
  session.set_cut(*trace, std::move(rule), new_step());
  return {};
}

Result<size_t> slot_arg(const Json& args) {
  WEFT_TRY_ASSIGN(const int64_t slot, integer_arg(args, "slot", 0, 9));
  return static_cast<size_t>(slot);
}

Status keep_view(Session& session, size_t slot) {
  WEFT_TRY_ASSIGN(OpenTrace * trace, current(session));
  trace->bookmarks[slot] = trace->view();
  const auto keys = session.keys.labels_of(fmt::format("bookmark.show_{}", slot));
  session.messages.say(fmt::format("The view is kept as {}{}", slot,
                                   keys.empty() ? "" : ": " + keys.front() + " goes back to it"));
  return {};
}

Status back_to_view(Session& session, size_t slot, uint32_t gesture) {
  WEFT_TRY(clear_of(needs_kept_view(session, slot)));
  OpenTrace& trace = *session.trace();
  trace.navigate(*trace.bookmarks[slot], gesture);
  return {};
}

Status bookmark_set(Session& session, const Command& command) {
  WEFT_TRY_ASSIGN(const size_t slot, slot_arg(command.args));
  return keep_view(session, slot);
}

Status bookmark_show(Session& session, const Command& command) {
  WEFT_TRY(current(session));
  WEFT_TRY_ASSIGN(const size_t slot, slot_arg(command.args));
  return back_to_view(session, slot, command.gesture);
}

template <size_t kSlot>
Status bookmark_set_slot(Session& session, const Command&) {
  return keep_view(session, kSlot);
}

template <size_t kSlot>
Status bookmark_show_slot(Session& session, const Command& command) {
  return back_to_view(session, kSlot, command.gesture);
}

constexpr auto kModes = choices_of(kMouseModes, &MouseModeRow::name);

Status mouse_mode(Session& session, const Command& command) {
  WEFT_TRY_ASSIGN(const std::string name, choice_arg(command.args, "mode", kModes));
  session.mouse_mode = *mouse_mode_from_name(name);
  return {};
}

Status select_range(Session& session, const Command& command) {
  WEFT_TRY_ASSIGN(OpenTrace * trace, current(session));
  WEFT_TRY_ASSIGN(const TimeRange range, range_args(command.args, *trace));
  WEFT_TRY_ASSIGN(std::vector<LaneId> lanes, lanes_arg(command.args, *trace));
  trace->selection = range;
  trace->selected_lanes = std::move(lanes);
  return {};
}

// The range stays.
Status select_lanes(Session& session, const Command& command) {
  WEFT_TRY_ASSIGN(OpenTrace * trace, current(session));
  WEFT_TRY_ASSIGN(trace->selected_lanes, lanes_arg(command.args, *trace));
  return {};
}

Status toggle_lane(Session& session, const Command& command) {
  WEFT_TRY_ASSIGN(OpenTrace * trace, current(session));
  WEFT_TRY_ASSIGN(const LaneId lane, lane_arg(command.args, *trace));
  // Of a group all lanes: none of them, once all were selected.
  const std::vector<LaneId> lanes = lanes_of(lane, *trace);
  const size_t before = trace->selected_lanes.size();
  std::erase_if(trace->selected_lanes,
                [&](LaneId other) { return layout::has_lane(lanes, other); });
  if (before - trace->selected_lanes.size() == lanes.size()) return {};
  trace->selected_lanes.insert(trace->selected_lanes.end(), lanes.begin(), lanes.end());
  return {};
}

Status select_clear(Session& session, const Command&) {
  WEFT_TRY_ASSIGN(OpenTrace * trace, current(session));
  trace->selection.reset();
  trace->selected_lanes.clear();
  return {};
}

constexpr CommandRow kViewCommands[] = {
    {"view.set",
     "Show a range",
     "",
     {{"from"},
      {"to", "times, in ticks or as text: '+12.5ms', '40%'"},
      {"fraction", "of a tick at which it begins", "0"},
      {"length", "in ticks and parts of them", "from 'from' to 'to'"}},
     view_set,
     needs_trace},
    {"view.zoom",
     "Zoom",
     "",
     {{"factor", "> 1 is closer"}, {"at", "the time that stays", "the middle"}},
     view_zoom,
     needs_trace},
    {"view.pan",
     "Move",
     "",
     {{"fraction", "of what is shown"}, instead({"ticks", "so many"})},
     view_pan,
     needs_trace},
    {"view.fit", "Show the whole trace", "F Home 0", {}, view_fit, needs_part_shown},
    {"view.end",
     "Go to the end, and follow it",
     "End",
     {{"follow", "false stays where the view is while the trace grows", "true"}},
     view_end,
     needs_trace},
    {"view.zoom_to_selection",
     "Zoom to the selection",
     "Z",
     {},
     view_zoom_to_selection,
     needs_range_or_element},
    {"view.undo",
     "Back to what was shown before",
     "Alt+Left Ctrl+Z",
     {},
     view_undo,
     needs_undo_step},
    {"view.redo", "Forward", "Alt+Right Ctrl+Y Ctrl+Shift+Z", {}, view_redo, needs_redo_step},
    {"view.next", "The window after this one", "PageDown", {}, view_step<1>, needs_time_after},
    {"view.previous", "The window before this one", "PageUp", {}, view_step<-1>, needs_time_before},
    {"view.compress",
     "Cut out empty time",
     "C",
     {kOn,
      {"longer_than", "ticks, or text as '1.5ms'", "a fiftieth of what is shown"},
      {"where", "what is not empty: type != idle", "what the filter lets pass, if it hides"}},
     compress,
     needs_trace},
    {"view.go",
     "Go to a time",
     "",
     {{"at", "time, or a range as 1.2s..1.5s"}},
     view_go,
     needs_trace},
    {"view.go.ask",
     "Go to a time…",
     "Ctrl+G",
     {kShown},
     show_flag<&Session::dialogs, &Dialogs::shows_go_to>,
     needs_trace,
     false,
     true},
    {"bookmark.set", "Keep this view", "", {{"slot", "0 to 9"}}, bookmark_set, needs_trace},
    {"bookmark.show", "Back to a view", "", {{"slot", "0 to 9"}}, bookmark_show, needs_kept_views},
    {"bookmark.set_1", "Keep this view as 1", "Ctrl+1", {}, bookmark_set_slot<1>, needs_trace},
    {"bookmark.set_2", "Keep this view as 2", "Ctrl+2", {}, bookmark_set_slot<2>, needs_trace},
    {"bookmark.set_3", "Keep this view as 3", "Ctrl+3", {}, bookmark_set_slot<3>, needs_trace},
    {"bookmark.set_4", "Keep this view as 4", "Ctrl+4", {}, bookmark_set_slot<4>, needs_trace},
    {"bookmark.show_1", "Back to view 1", "1", {}, bookmark_show_slot<1>, needs_kept_view<1>},
    {"bookmark.show_2", "Back to view 2", "2", {}, bookmark_show_slot<2>, needs_kept_view<2>},
    {"bookmark.show_3", "Back to view 3", "3", {}, bookmark_show_slot<3>, needs_kept_view<3>},
    {"bookmark.show_4", "Back to view 4", "4", {}, bookmark_show_slot<4>, needs_kept_view<4>},
    {"mouse.mode", "What the mouse does", "", {one_of("mode", kModes)}, mouse_mode},
    {"select.range",
     "Select a range",
     "",
     {{"from"}, {"to", "times"}, {"lanes", "their names or numbers", "all"}},
     select_range,
     needs_trace},
    {"select.toggle_lane",
     "Select the lane",
     "",
     {{"lane", "its name, path or number"}},
     toggle_lane,
     needs_trace},
    {"select.lanes",
     "Select lanes",
     "",
     {{"lanes", "their names or numbers"}},
     select_lanes,
     needs_trace},
    {"select.clear", "Clear the selection", "", {}, select_clear, needs_range_or_lanes},
};

}  // namespace

std::span<const CommandRow> view_commands() { return kViewCommands; }

}  // namespace weft::app
