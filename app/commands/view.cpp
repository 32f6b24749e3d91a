// Commands on what is shown and selected of the time line.

#include "app/commands/arguments.h"
#include "app/commands/groups.h"

namespace weft::app {
namespace {

void go_to(OpenTrace& trace, const TimeWindow& window, uint32_t gesture) {
  View view = trace.view();
  view.window = window.clamped(trace.range());
  trace.navigate(view, gesture);
}

Status view_set(Session& session, const Command& command) {
  WEFT_TRY_ASSIGN(OpenTrace * trace, current(session));
  WEFT_TRY_ASSIGN(const TimeRange range, range_args(command.args, *trace));
  TimeWindow window = TimeWindow::from_range(range);
  if (command.args.contains("fraction")) {
    WEFT_TRY_ASSIGN(window.begin_fraction, number_arg(command.args, "fraction"));
    if (window.begin_fraction < 0 || window.begin_fraction >= 1) {
      return fail("'fraction' must be in [0, 1)");
    }
  }
  if (command.args.contains("length")) {
    WEFT_TRY_ASSIGN(window.length, positive_arg(command.args, "length"));
  }
  go_to(*trace, window, command.gesture);
  return {};
}

Status view_zoom(Session& session, const Command& command) {
  WEFT_TRY_ASSIGN(OpenTrace * trace, current(session));
  WEFT_TRY_ASSIGN(const double factor, positive_arg(command.args, "factor"));
  const TimeWindow& window = trace->view().window;
  double at = 0.5;
  if (command.args.contains("at")) {
    WEFT_TRY_ASSIGN(const Time time, time_arg(command.args, "at", *trace));
    at = window.fraction_from_time(time);
  }
  go_to(*trace, window.zoomed(factor, at), command.gesture);
  return {};
}

Status view_pan(Session& session, const Command& command) {
  WEFT_TRY_ASSIGN(OpenTrace * trace, current(session));
  const TimeWindow& window = trace->view().window;
  double ticks = 0;
  if (command.args.contains("ticks")) {
    WEFT_TRY_ASSIGN(ticks, number_arg(command.args, "ticks"));
  } else {
    WEFT_TRY_ASSIGN(const double fraction, number_arg(command.args, "fraction"));
    ticks = fraction * window.length;
  }
  go_to(*trace, window.panned(ticks), command.gesture);
  return {};
}

Status view_fit(Session& session, const Command& command) {
  WEFT_TRY_ASSIGN(OpenTrace * trace, current(session));
  trace->fit(command.gesture);
  return {};
}

Status view_zoom_to_selection(Session& session, const Command& command) {
  WEFT_TRY_ASSIGN(OpenTrace * trace, current(session));
  if (!trace->selection) return fail("no range is selected (drag on the time ruler)");
  go_to(*trace, TimeWindow::from_range(*trace->selection), command.gesture);
  return {};
}

Status view_undo(Session& session, const Command&) {
  WEFT_TRY_ASSIGN(OpenTrace * trace, current(session));
  return trace->undo() ? Status() : fail("nothing to undo");
}

Status view_redo(Session& session, const Command&) {
  WEFT_TRY_ASSIGN(OpenTrace * trace, current(session));
  return trace->redo() ? Status() : fail("nothing to redo");
}

Status select_range(Session& session, const Command& command) {
  WEFT_TRY_ASSIGN(OpenTrace * trace, current(session));
  WEFT_TRY_ASSIGN(const TimeRange range, range_args(command.args, *trace));
  trace->selection = range;
  return {};
}

Status select_clear(Session& session, const Command&) {
  WEFT_TRY_ASSIGN(OpenTrace * trace, current(session));
  trace->selection.reset();
  return {};
}

constexpr CommandRow kCommands[] = {
    {"view.set", "Show a range", "",
     "from, to: times (ticks, or text as '+12.5ms', '40%'); fraction, length: of ticks, exact",
     view_set},
    {"view.zoom", "Zoom", "",
     "factor: > 1 is closer; at: the time that stays (default: the middle)", view_zoom},
    {"view.pan", "Move", "", "fraction: of what is shown; or ticks", view_pan},
    {"view.fit", "Show the whole trace", "F Home 0", "", view_fit},
    {"view.zoom_to_selection", "Zoom to the selection", "Z", "", view_zoom_to_selection},
    {"view.undo", "Back", "Alt+Left", "", view_undo},
    {"view.redo", "Forward", "Alt+Right", "", view_redo},
    {"select.range", "Select a range", "", "from, to: times", select_range},
    {"select.clear", "Clear the selection", "", "", select_clear},
};

}  // namespace

std::span<const CommandRow> view_commands() { return kCommands; }

}  // namespace weft::app
