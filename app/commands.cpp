#include "app/commands.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ranges>
#include <utility>

#include "app/panels/panels.h"

namespace weft::app {
namespace {

// --- Reading arguments ---------------------------------------------------------------------------

Result<OpenTrace*> current(Session& session) {
  if (OpenTrace* trace = session.trace()) return trace;
  return fail("no trace is open");
}

Result<double> number_arg(const Json& args, const char* key) {
  const auto it = args.find(key);
  if (it == args.end() || !it->is_number()) return fail(fmt::format("'{}' must be a number", key));
  const double value = it->get<double>();
  if (!std::isfinite(value)) return fail(fmt::format("'{}' must be finite", key));
  return value;
}

Result<double> positive_arg(const Json& args, const char* key) {
  WEFT_TRY_ASSIGN(const double value, number_arg(args, key));
  if (value <= 0) return fail(fmt::format("'{}' must be greater than 0", key));
  return value;
}

Result<std::string> text_arg(const Json& args, const char* key) {
  const auto it = args.find(key);
  if (it == args.end() || !it->is_string()) return fail(fmt::format("'{}' must be a text", key));
  return it->get<std::string>();
}

// An integer in ticks, or a text as parse_time reads it.
Result<Time> time_arg(const Json& args, const char* key, const OpenTrace& trace) {
  const auto it = args.find(key);
  if (it == args.end()) return fail(fmt::format("'{}' is missing", key));
  if (it->is_number_integer()) return Time{it->get<int64_t>()};
  if (it->is_string()) return parse_time(it->get<std::string>(), trace.range(), trace.time_base());
  return fail(fmt::format("'{}' must be a time: an integer in ticks or a text as '+12.5ms'", key));
}

Result<TimeRange> range_args(const Json& args, const OpenTrace& trace) {
  WEFT_TRY_ASSIGN(const Time from, time_arg(args, "from", trace));
  WEFT_TRY_ASSIGN(const Time to, time_arg(args, "to", trace));
  if (to <= from) return fail("'to' must be after 'from'");
  return TimeRange{from, to};
}

Result<LaneId> lane_arg(const Json& args, const OpenTrace& trace) {
  const auto it = args.find("lane");
  const size_t count = trace.trace() ? trace.trace()->dictionary().lanes.size() : 0;
  if (it == args.end() || !it->is_number_unsigned() || it->get<uint64_t>() >= count) {
    return fail(fmt::format("'lane' must be the number of a lane, below {}", count));
  }
  return LaneId(it->get<uint32_t>());
}

// --- Files ---------------------------------------------------------------------------------------

Status open(Session& session, const Command& command) {
  WEFT_TRY_ASSIGN(const std::string path, text_arg(command.args, "path"));
  if (!session.open_file) return fail("files cannot be opened here");
  WEFT_TRY_ASSIGN(auto opening, session.open_file(path));
  session.traces.push_back(std::make_unique<OpenTrace>(std::move(opening)));
  session.current = session.traces.size() - 1;
  return {};
}

Status close(Session& session, const Command&) {
  WEFT_TRY(current(session));
  session.traces.erase(session.traces.begin() + static_cast<ptrdiff_t>(session.current));
  session.current = std::min(session.current, std::max<size_t>(1, session.traces.size()) - 1);
  return {};
}

Status select_trace(Session& session, const Command& command) {
  WEFT_TRY_ASSIGN(const double index, number_arg(command.args, "index"));
  if (index < 0 || index >= static_cast<double>(session.traces.size())) {
    return fail(fmt::format("there is no trace {}: {} are open", index, session.traces.size()));
  }
  session.current = static_cast<size_t>(index);
  return {};
}

Status cancel_loading(Session& session, const Command&) {
  WEFT_TRY_ASSIGN(OpenTrace * trace, current(session));
  if (!trace->is_loading()) return fail("nothing is being loaded");
  trace->opening()->cancel();
  return {};
}

Status snapshot(Session& session, const Command& command) {
  SnapshotRequest request;
  request.output = command.args.value("output", "weftscope-snapshot.png");
  request.panel = command.args.value("panel", "workbench");
  if (request.panel != "workbench" && !find_panel(request.panel)) {
    return fail(fmt::format("'{}' is no panel", request.panel));
  }
  if (command.args.contains("size")) {
    WEFT_TRY_ASSIGN(const std::string size, text_arg(command.args, "size"));
    char rest = 0;
    if (std::sscanf(size.c_str(), "%5dx%5d%c", &request.width_px, &request.height_px, &rest) != 2 ||
        request.width_px < 16 || request.height_px < 16 || request.width_px > 16384 ||
        request.height_px > 16384) {
      return fail(fmt::format("'{}' is no size (as 1920x1080)", size));
    }
  }
  session.snapshots.push_back(std::move(request));
  return {};
}

Status quit(Session& session, const Command&) {
  session.is_quitting = true;
  return {};
}

// --- The time window -----------------------------------------------------------------------------

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

// --- Lanes ---------------------------------------------------------------------------------------

void scroll_to(OpenTrace& trace, double px, uint32_t gesture) {
  View view = trace.view();
  view.scroll_px = std::max(0.0, px);  // the panel knows where the lanes end
  trace.navigate(view, gesture);
}

Status scroll(Session& session, const Command& command) {
  WEFT_TRY_ASSIGN(OpenTrace * trace, current(session));
  if (command.args.contains("to")) {
    WEFT_TRY_ASSIGN(const double to, number_arg(command.args, "to"));
    scroll_to(*trace, to, command.gesture);
  } else {
    WEFT_TRY_ASSIGN(const double rows, number_arg(command.args, "rows"));
    scroll_to(*trace, trace->view().scroll_px + rows * session.row_height_px, command.gesture);
  }
  return {};
}

enum class Fold : uint8_t { kCollapse, kExpand, kToggle };

template <Fold kFold>
Status fold_lane(Session& session, const Command& command) {
  WEFT_TRY_ASSIGN(OpenTrace * trace, current(session));
  WEFT_TRY_ASSIGN(const LaneId lane, lane_arg(command.args, *trace));
  const bool was_collapsed = trace->collapsed.erase(lane) > 0;
  if (kFold == Fold::kCollapse || (kFold == Fold::kToggle && !was_collapsed)) {
    trace->collapsed.insert(lane);
  }
  ++trace->collapse_generation;
  return {};
}

Status collapse_all(Session& session, const Command&) {
  WEFT_TRY_ASSIGN(OpenTrace * trace, current(session));
  if (!trace->trace()) return fail("the trace is still empty");
  for (const trace::Lane& lane : trace->trace()->dictionary().lanes) {
    if (!lane.parent.is_none()) trace->collapsed.insert(lane.parent);
  }
  ++trace->collapse_generation;
  return {};
}

Status expand_all(Session& session, const Command&) {
  WEFT_TRY_ASSIGN(OpenTrace * trace, current(session));
  trace->collapsed.clear();
  ++trace->collapse_generation;
  return {};
}

Status row_height(Session& session, const Command& command) {
  double px = session.row_height_px;
  if (command.args.contains("factor")) {
    WEFT_TRY_ASSIGN(const double factor, positive_arg(command.args, "factor"));
    px *= factor;
  } else {
    WEFT_TRY_ASSIGN(px, positive_arg(command.args, "px"));
  }
  const double old = session.row_height_px;
  session.row_height_px = std::clamp(std::round(px), 3.0, 60.0);
  // The rows at the top stay there.
  for (auto& trace : session.traces) {
    scroll_to(*trace, trace->view().scroll_px * session.row_height_px / old, command.gesture);
  }
  return {};
}

template <int kStepPx>
Status change_row_height(Session& session, const Command& command) {
  const double px = std::max(1.0, session.row_height_px + kStepPx);
  return row_height(session, {"row_height", {{"px", px}}, command.gesture});
}

// --- The workbench -------------------------------------------------------------------------------

Status theme(Session& session, const Command& command) {
  const std::string name = command.args.value("name", "toggle");
  if (name == "dark") {
    session.theme = ThemeName::kDark;
  } else if (name == "light") {
    session.theme = ThemeName::kLight;
  } else if (name == "toggle") {
    session.theme = session.theme == ThemeName::kDark ? ThemeName::kLight : ThemeName::kDark;
  } else {
    return fail(fmt::format("'{}' is no theme (dark, light, toggle)", name));
  }
  return {};
}

Result<std::string> panel_arg(const Json& args) {
  WEFT_TRY_ASSIGN(std::string id, text_arg(args, "panel"));
  if (!find_panel(id)) return fail(fmt::format("'{}' is no panel", id));
  return id;
}

Status panel_show(Session& session, const Command& command) {
  WEFT_TRY_ASSIGN(const std::string id, panel_arg(command.args));
  const bool was_hidden = session.hidden_panels.erase(id) > 0;
  const auto shown = command.args.find("shown");
  const bool is_shown =
      shown != command.args.end() && shown->is_boolean() ? shown->get<bool>() : was_hidden;
  if (!is_shown) session.hidden_panels.insert(id);
  return {};
}

Status panel_height(Session& session, const Command& command) {
  WEFT_TRY_ASSIGN(const std::string id, panel_arg(command.args));
  WEFT_TRY_ASSIGN(const double px, positive_arg(command.args, "px"));
  session.panel_heights_px[id] = std::clamp(px, 40.0, 2000.0);
  return {};
}

Status gutter_width(Session& session, const Command& command) {
  WEFT_TRY_ASSIGN(const double px, positive_arg(command.args, "px"));
  session.gutter_px = std::clamp(px, 80.0, 800.0);
  return {};
}

template <bool Session::* kFlag>
Status show_flag(Session& session, const Command& command) {
  const auto shown = command.args.find("shown");
  const bool is_given = shown != command.args.end() && shown->is_boolean();
  session.*kFlag = is_given ? shown->get<bool>() : !(session.*kFlag);
  return {};
}

Status escape(Session& session, const Command&) {
  if (session.shows_help || session.shows_losses || session.shows_open_dialog) {
    session.shows_help = session.shows_losses = session.shows_open_dialog = false;
  } else if (OpenTrace* trace = session.trace()) {
    trace->selection.reset();
  }
  return {};
}

constexpr CommandRow kCommands[] = {
    {"open", "Open a file", "", "path: text", open},
    {"open.ask", "Open…", "Ctrl+O", "shown: true or false (default: toggle)",
     show_flag<&Session::shows_open_dialog>},
    {"close", "Close the trace", "Ctrl+F4", "", close},
    {"trace.select", "Show another trace", "", "index: from 0", select_trace},
    {"load.cancel", "Stop loading, keep what is there", "", "", cancel_loading},
    {"snapshot", "Save a picture", "Ctrl+P",
     "output: path of a PNG (default: weftscope-snapshot.png); panel: id, or workbench; size: WxH",
     snapshot},
    {"quit", "Quit", "Ctrl+Q", "", quit},

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
    {"escape", "Close what is open, then clear the selection", "Escape", "", escape},

    {"scroll", "Scroll the lanes", "", "rows: by how many; or to: px from the top", scroll},
    {"lane.toggle", "Fold or unfold a lane", "", "lane: its number", fold_lane<Fold::kToggle>},
    {"lane.collapse", "Fold a lane", "", "lane: its number", fold_lane<Fold::kCollapse>},
    {"lane.expand", "Unfold a lane", "", "lane: its number", fold_lane<Fold::kExpand>},
    {"lane.collapse_all", "Fold all lanes", "Ctrl+Shift+C", "", collapse_all},
    {"lane.expand_all", "Unfold all lanes", "Ctrl+Shift+E", "", expand_all},
    {"row_height", "Height of rows", "", "px; or factor", row_height},
    {"row_height.larger", "Larger rows", "Ctrl+= Ctrl+Shift+= Ctrl++", "", change_row_height<2>},
    {"row_height.smaller", "Smaller rows", "Ctrl+-", "", change_row_height<-2>},

    {"theme", "Dark or light", "Ctrl+T", "name: dark, light or toggle", theme},
    {"panel.show", "Show or hide a panel", "", "panel: id; shown: true or false (default: toggle)",
     panel_show},
    {"panel.height", "Height of a panel", "", "panel: id; px", panel_height},
    {"gutter.width", "Width of the lane names", "", "px", gutter_width},
    {"links.show", "Show links as arrows", "L", "shown: true or false (default: toggle)",
     show_flag<&Session::shows_links>},
    {"losses.show", "What the trace has lost", "", "shown: true or false (default: toggle)",
     show_flag<&Session::shows_losses>},
    {"help.show", "Keys and mouse", "F1", "shown: true or false (default: toggle)",
     show_flag<&Session::shows_help>},
};

}  // namespace

std::span<const CommandRow> command_table() { return kCommands; }

const CommandRow* find_command(std::string_view name) {
  const auto row = std::ranges::find(kCommands, name, &CommandRow::name);
  return row == std::end(kCommands) ? nullptr : row;
}

const CommandRow* find_shortcut(std::string_view chord) {
  if (chord.empty()) return nullptr;
  const auto has_chord = [&](const CommandRow& row) {
    for (const auto word : std::views::split(row.shortcut, ' ')) {
      if (std::string_view(word.begin(), word.end()) == chord) return true;
    }
    return false;
  };
  const auto row = std::ranges::find_if(kCommands, has_chord);
  return row == std::end(kCommands) ? nullptr : row;
}

Status apply_command(Session& session, const Command& command) {
  const CommandRow* row = find_command(command.name);
  if (!row) return fail(fmt::format("'{}' is no command", command.name));
  if (!command.args.is_object())
    return fail(fmt::format("{}: arguments must be an object", row->name));
  // Arguments come from journals, too: a wrong type in one of them is an error, not an exception.
  try {
    if (Status status = row->apply(session, command); !status) {
      return fail(std::move(status).error().context(std::string(row->name)));
    }
  } catch (const Json::exception& error) {
    return fail(fmt::format("{}: {}", row->name, error.what()));
  }
  return {};
}

std::string json_from_command(const Command& command) {
  // Ordered by hand: the name first reads better.
  return "{\"command\":" + Json(command.name).dump(-1, ' ', false, Json::error_handler_t::replace) +
         ",\"args\":" + command.args.dump(-1, ' ', false, Json::error_handler_t::replace) + "}";
}

Result<Command> command_from_json(std::string_view line) {
  const Json json = Json::parse(line, nullptr, /*allow_exceptions=*/false);
  if (!json.is_object()) return fail("not a JSON object");
  const auto name = json.find("command");
  if (name == json.end() || !name->is_string()) return fail("'command' must be a text");
  Command command;
  command.name = name->get<std::string>();
  if (const auto args = json.find("args"); args != json.end()) command.args = *args;
  if (!command.args.is_object()) return fail("'args' must be an object");
  return command;
}

Command view_set_command(const TimeWindow& window, uint32_t gesture) {
  const TimeRange range = window.range();
  Json args = {{"from", range.begin.ticks}, {"to", range.end.ticks}};
  if (TimeWindow::from_range(range) != window) {
    args["fraction"] = window.begin_fraction;
    args["length"] = window.length;
  }
  return {"view.set", std::move(args), gesture};
}

}  // namespace weft::app
