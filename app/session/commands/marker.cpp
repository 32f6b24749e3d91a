// Commands on markers: the cursors A and B, and named markers with notes.
#include <fmt/core.h>

#include <iterator>
#include <limits>

#include "app/session/commands/arguments.h"
#include "app/session/commands/groups.h"
#include "app/session/commands/obstacles.h"
#include "app/session/element_args.h"
#include "app/session/element_finder.h"
#include "app/session/panel_kinds.h"
#include "core/base/text.h"

namespace weft::app {
namespace {

// Of what is selected: the range, or else the element.
Result<TimeRange> selected_range(const Session& session) {
  WEFT_TRY(clear_of(needs_range_or_element(session)));
  const OpenTrace& trace = *session.trace();
  if (trace.selection) return *trace.selection;
  return extent_of(*trace.element());
}

template <void (Markers::*kSet)(std::optional<Time>)>
Status set_cursor(Session& session, const Command& command) {
  WEFT_TRY_ASSIGN(OpenTrace * trace, current(session));
  WEFT_TRY_ASSIGN(const Time time, time_arg(command.args, "at", *trace));
  (trace->markers.*kSet)(time);
  return {};
}

Status cursors_around_selection(Session& session, const Command&) {
  WEFT_TRY_ASSIGN(OpenTrace * trace, current(session));
  WEFT_TRY_ASSIGN(const TimeRange range, selected_range(session));
  trace->markers.set_a(range.begin);
  trace->markers.set_b(range.end);
  return {};
}

Status clear_cursors(Session& session, const Command&) {
  WEFT_TRY_ASSIGN(OpenTrace * trace, current(session));
  trace->markers.set_a(std::nullopt);
  trace->markers.set_b(std::nullopt);
  return {};
}

Result<const Marker*> marker_arg(const Json& args, const OpenTrace& trace) {
  constexpr int64_t kMostId = std::numeric_limits<uint32_t>::max();
  WEFT_TRY_ASSIGN(const int64_t id, integer_arg(args, "id", 0, kMostId));
  if (const Marker* marker = trace.markers.find(static_cast<uint32_t>(id))) return marker;
  return fail(fmt::format("there is no marker {}", id));
}

// What the arguments say of a marker; the rest stays.
Status change_by_args(const Json& args, const OpenTrace& trace, Marker& marker) {
  // What is moved is no longer where its element is.
  if (args.contains("at") || args.contains("from") || args.contains("to")) marker.element.reset();
  if (args.contains("at")) {
    WEFT_TRY_ASSIGN(const Time at, time_arg(args, "at", trace));
    marker.range = {at, at + marker.range.length()};
  } else if (args.contains("from") || args.contains("to")) {
    WEFT_TRY_ASSIGN(marker.range, range_args(args, trace));
  }
  if (args.contains("every")) {
    WEFT_TRY_ASSIGN(marker.every, duration_arg(args, "every", trace));
    if (marker.every < Duration{}) return fail("'every' must not be negative");
  }
  if (const auto element = args.find("element"); element != args.end()) {
    WEFT_TRY_ASSIGN(marker.element, element_arg(*element, trace));
  }
  WEFT_TRY_ASSIGN(marker.name, text_arg(args, "name", marker.name));
  WEFT_TRY_ASSIGN(marker.note, text_arg(args, "note", marker.note));
  WEFT_TRY_ASSIGN(const int64_t color,
                  integer_arg(args, "color", 0, std::ssize(kMarkerColors) - 1, marker.color));
  marker.color = static_cast<uint8_t>(color);
  return {};
}

// As marker.add has them.
Json args_from_marker(const Marker& marker) {
  Json args = {{"name", marker.name},
               {"note", marker.note},
               {"color", marker.color},
               {"every", marker.every.ticks}};
  if (marker.range.is_empty()) {
    args["at"] = marker.range.begin.ticks;
  } else {
    args["from"] = marker.range.begin.ticks;
    args["to"] = marker.range.end.ticks;
  }
  if (marker.element) args["element"] = args_from_element(*marker.element);
  return args;
}

Status add_new(OpenTrace& trace, Marker marker, const Json& args) {
  // So that neighbours differ.
  marker.color = static_cast<uint8_t>(trace.markers.all().size() % kMarkerColors.size());
  WEFT_TRY(change_by_args(args, trace, marker));
  if (marker.element && !args.contains("name"))
    marker.name = trace.trace()->dictionary().type(marker.element->type).name;
  if (!trace.markers.add(std::move(marker))) return fail("there are too many markers");
  return {};
}

Status add_marker(Session& session, const Command& command) {
  WEFT_TRY_ASSIGN(OpenTrace * trace, current(session));
  if (!command.args.contains("at") && !command.args.contains("from")) {
    return fail("point at a time first; or say 'at', or 'from' and 'to'");
  }
  return add_new(*trace, {}, command.args);
}

Status mark_selection(Session& session, const Command& command) {
  WEFT_TRY_ASSIGN(OpenTrace * trace, current(session));
  WEFT_TRY_ASSIGN(const TimeRange range, selected_range(session));
  Marker marker;
  marker.range = range;
  if (!trace->selection) marker.element = trace->element();
  return add_new(*trace, std::move(marker), command.args);
}

Status change_marker(Session& session, const Command& command) {
  WEFT_TRY_ASSIGN(OpenTrace * trace, current(session));
  WEFT_TRY_ASSIGN(const Marker* found, marker_arg(command.args, *trace));
  Marker marker = *found;
  WEFT_TRY(change_by_args(command.args, *trace, marker));
  trace->markers.change(marker);
  return {};
}

Status remove_marker(Session& session, const Command& command) {
  WEFT_TRY_ASSIGN(OpenTrace * trace, current(session));
  WEFT_TRY_ASSIGN(const Marker* found, marker_arg(command.args, *trace));
  const Marker marker = *found;
  trace->markers.remove(marker.id);
  session.messages.say(
      marker.name.empty() ? "Marker removed"
                          : fmt::format("Marker '{}' removed", printable(marker.name)),
      /*is_error=*/false, Offer{"Put it back", "marker.add", args_from_marker(marker)});
  return {};
}

Status edit_marker(Session& session, const Command& command) {
  WEFT_TRY_ASSIGN(const OpenTrace* trace, current(session));
  WEFT_TRY_ASSIGN(const Marker* marker, marker_arg(command.args, *trace));
  (void)open_panel(session.desk.layout, *find_panel_kind("markers"));
  session.orders.edited_marker = marker->id;
  return {};
}

void show(OpenTrace& trace, TimeRange range, uint32_t gesture) {
  View view = trace.view();
  view.window = trace.clamped(view.window.revealing(range, trace.reach()));
  trace.navigate(view, gesture);
}

// Markers may come from a file that speaks of another trace.
bool is_of(const query::ElementRef& element, const OpenTrace& trace) {
  if (!trace.trace()) return false;
  const trace::Dictionary& dictionary = trace.trace()->dictionary();
  return element.lane.value() < dictionary.lanes.size() &&
         element.type.value() < dictionary.types.size();
}

Status show_marker(Session& session, const Command& command) {
  WEFT_TRY_ASSIGN(OpenTrace * trace, current(session));
  WEFT_TRY_ASSIGN(const Marker* marker, marker_arg(command.args, *trace));
  if (marker->element && is_of(*marker->element, *trace)) {
    trace->select_element(marker->element);
    trace->reveal_element(command.gesture);
  } else {
    show(*trace, marker->range, command.gesture);
  }
  return {};
}

// From the middle of what is shown; the view moves so that the marker is in its middle.
template <bool kIsForward>
Status step_marker(Session& session, const Command& command) {
  WEFT_TRY_ASSIGN(OpenTrace * trace, current(session));
  View view = trace->view();
  // A little off the middle: the marker that was stepped to lies there.
  constexpr double kOff = 0.002;
  const Marker* marker = kIsForward
                             ? trace->markers.after(view.window.time_from_fraction(0.5 + kOff))
                             : trace->markers.before(view.window.time_from_fraction(0.5 - kOff));
  if (!marker) return fail(kIsForward ? "no marker follows" : "no marker is before");
  const double at = view.window.fraction_from_time(marker->range.begin);
  view.window = trace->clamped(view.window.panned((at - 0.5) * view.window.length));
  trace->navigate(view, command.gesture);
  return {};
}

Status keep_beside_trace(Session& session, const Command&) {
  WEFT_TRY_ASSIGN(OpenTrace * trace, current(session));
  return trace->keep_markers_beside();
}

constexpr Argument kMarkerId = {"id", "its number"};

constexpr CommandRow kMarkerCommands[] = {
    {"marker.a",
     "Set the cursor A here",
     "Alt+A",
     {{"at", "time"}},
     set_cursor<&Markers::set_a>,
     needs_trace,
     true},
    {"marker.b",
     "Set the cursor B here",
     "Alt+B",
     {{"at", "time"}},
     set_cursor<&Markers::set_b>,
     needs_trace,
     true},
    {"marker.around_selection",
     "Cursors A and B around the selection",
     "Alt+S",
     {},
     cursors_around_selection,
     needs_range_or_element},
    {"marker.clear_cursors",
     "Remove the cursors A and B",
     "Alt+X",
     {},
     clear_cursors,
     needs_cursors},
    {"marker.add",
     "Marker here",
     "M",
     {{"at", "time"},
      instead({"from"}),
      {"to", "times"},
      {"name"},
      {"note", "texts", "none"},
      {"color", "0 to 7", "the next"},
      {"every", "after how long it stands again", "it stands once"},
      {"element", "what it is set on, as element.select has it", "none"}},
     add_marker,
     needs_trace,
     true},
    {"marker.add_selection",
     "Mark the selection",
     "Shift+M",
     {{"name"},
      {"note", "texts"},
      {"color", "0 to 7", "the next"},
      {"every", "after how long it stands again", "it stands once"}},
     mark_selection,
     needs_range_or_element},
    {"marker.change",
     "Change a marker",
     "",
     {kMarkerId,
      {"at", "time"},
      instead({"from"}),
      {"to", "times"},
      {"name"},
      {"note", "texts", "as they are"},
      {"color", "0 to 7", "as it is"},
      {"every", "after how long it stands again; 0: it stands once", "as it is"}},
     change_marker,
     needs_markers},
    {"marker.remove", "Remove a marker", "", {kMarkerId}, remove_marker, needs_markers},
    {"marker.show",
     "Show a marker, and select what it was set on",
     "",
     {kMarkerId},
     show_marker,
     needs_markers},
    {"marker.edit",
     "Name a marker, and write a note to it",
     "",
     {kMarkerId},
     edit_marker,
     needs_markers},
    {"marker.next", "Next marker", ". Ctrl+PageDown", {}, step_marker<true>, needs_markers},
    {"marker.previous", "Previous marker", ", Ctrl+PageUp", {}, step_marker<false>, needs_markers},
    {"marker.keep_beside",
     "Keep the markers beside the trace",
     "",
     {},
     keep_beside_trace,
     needs_trace},
};

}  // namespace

std::span<const CommandRow> marker_commands() { return kMarkerCommands; }

}  // namespace weft::app
