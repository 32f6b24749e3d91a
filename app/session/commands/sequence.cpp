// Commands on the sequence diagram: what it shows, as options of the panel. They act on the panel
// named, on the one that has the focus, or on the first.
#include <algorithm>
#include <array>

#include "app/session/commands/arguments.h"
#include "app/session/commands/groups.h"
#include "app/session/commands/obstacles.h"
#include "core/layout/message_order.h"
#include "core/query/messages/link_ends.h"

namespace weft::app {
namespace {

constexpr size_t kMostMoves = 10'000;

Result<PanelInstance*> diagram_of(Session& session, const Json& args) {
  PanelInstance* panel = session.desk.layout.find(session.desk.layout.focused());
  if (args.contains("panel")) {
    WEFT_TRY_ASSIGN(const std::string id, text_arg(args, "panel"));
    panel = session.desk.layout.find(id);
  } else if (!panel || panel->kind != "sequence") {
    const PanelInstance* first = session.desk.layout.first_of("sequence");
    panel = first ? session.desk.layout.find(first->id) : nullptr;
  }
  if (panel && panel->kind == "sequence") return panel;
  WEFT_TRY(clear_of(needs_sequence(session)));
  return fail("the panel is no sequence diagram");
}

Status order_lanes(Session& session, const Command& command) {
  WEFT_TRY_ASSIGN(PanelInstance * panel, diagram_of(session, command.args));
  WEFT_TRY_ASSIGN(const std::string by, text_arg(command.args, "by"));
  if (!layout::message_order_from_name(by))
    return fail("'by' must be first, groups, force or short");
  panel->options["order"] = by;
  return {};
}

// Where a lane stands, by the names of the two, so that it is so in another trace of the same
// system, too.
Status move_lane(Session& session, const Command& command) {
  WEFT_TRY_ASSIGN(PanelInstance * panel, diagram_of(session, command.args));
  WEFT_TRY_ASSIGN(const OpenTrace* trace, current(session));
  const auto path_of = [&](const char* argument) -> Result<std::string> {
    WEFT_TRY_ASSIGN(const LaneId lane,
                    lane_arg({{"lane", command.args.value(argument, Json())}}, *trace));
    return trace->trace()->dictionary().path_text(lane);
  };
  WEFT_TRY_ASSIGN(const std::string lane, path_of("lane"));
  Json move = {lane, nullptr};
  if (command.args.contains("before")) {
    WEFT_TRY_ASSIGN(move[1], path_of("before"));
  }
  Json moves = Json::array();
  if (const auto known = panel->options.find("moves"); known != panel->options.end()) {
    // The last move of a lane is the one that counts.
    for (const Json& earlier : *known) {
      if (earlier.is_array() && !earlier.empty() && earlier[0] != lane) moves.push_back(earlier);
    }
  }
  if (moves.size() >= kMostMoves) return fail("too many lanes were moved");
  moves.push_back(std::move(move));
  panel->options["moves"] = std::move(moves);
  return {};
}

Status reset_lanes(Session& session, const Command& command) {
  WEFT_TRY_ASSIGN(PanelInstance * panel, diagram_of(session, command.args));
  panel->options.erase("moves");
  return {};
}

// One of two: the other one where "by" is not given.
Status choose(Session& session, const Command& command, const char* option,
              const std::array<std::string, 2>& values) {
  WEFT_TRY_ASSIGN(PanelInstance * panel, diagram_of(session, command.args));
  std::string by = values[panel->options.value(option, values[0]) == values[0] ? 1 : 0];
  if (command.args.contains("by")) {
    WEFT_TRY_ASSIGN(by, text_arg(command.args, "by"));
  }
  if (std::ranges::find(values, by) == values.end())
    return fail("'by' must be " + values[0] + " or " + values[1]);
  panel->options[option] = by;
  return {};
}

Status space_events(Session& session, const Command& command) {
  return choose(session, command, "spacing", {"time", "events"});
}

Status widen_arrows(Session& session, const Command& command) {
  return choose(session, command, "widths", {"count", "size"});
}

Status join_runs(Session& session, const Command& command) {
  return choose(session, command, "runs", {"open", "joined"});
}

// When the selected message was sent.
Result<TimeRange> selected_send(const OpenTrace& trace) {
  const auto& element = trace.element();
  if (!element || !query::is_link(element->kind)) return fail("no message is selected");
  store::Record record;
  record.begin = element->begin;
  record.duration = element->duration;
  record.peer = element->peer;
  const query::LinkEnds ends = query::ends_of(element->kind, element->lane, record);
  const Time sent = ends.is_sent() ? ends.send : ends.receive;
  return TimeRange{sent, sent + Duration{1}};
}

// One run, where runs are joined: the one that holds what was sent in the stretch.
Status open_run(Session& session, const Command& command) {
  WEFT_TRY_ASSIGN(OpenTrace * trace, current(session));
  const bool has_range = command.args.contains("from") || command.args.contains("to");
  WEFT_TRY_ASSIGN(const TimeRange sent,
                  has_range ? range_args(command.args, *trace) : selected_send(*trace));
  std::vector<TimeRange> runs = trace->view().open_runs;
  const size_t were_open = std::erase_if(
      runs, [&](TimeRange run) { return run.begin < sent.end && sent.begin < run.end; });
  const auto open = command.args.find("open");
  const bool is_given = open != command.args.end() && open->is_boolean();
  if (is_given ? open->get<bool>() : were_open == 0) {
    if (runs.size() >= kMostOpenRuns) return fail("too many repeated exchanges are open");
    runs.push_back(sent);
  }
  trace->set_open_runs(std::move(runs));
  return {};
}

Status color_arrows(Session& session, const Command& command) {
  return choose(session, command, "colors", {"sender", "type"});
}

}  // namespace

std::span<const CommandRow> sequence_commands() {
  static constexpr CommandRow kCommands[] = {
      {"sequence.order", "Order the lanes of the sequence diagram", "",
       "by: first, groups, force or short; panel: id", order_lanes, needs_sequence},
      {"sequence.move", "Move a lane of the sequence diagram", "",
       "lane: its number; before: that of another (default: to the end); panel: id", move_lane,
       needs_sequence},
      {"sequence.reset", "Lanes of the sequence diagram as they were ordered", "", "panel: id",
       reset_lanes, needs_sequence},
      {"sequence.spacing", "Sequence diagram: by time, or one event below the other", "",
       "by: time or events (default: toggle); panel: id", space_events, needs_sequence},
      {"sequence.runs", "Sequence diagram by event: repeated exchanges as one, or each", "",
       "by: open or joined (default: toggle); panel: id", join_runs, needs_sequence},
      {"sequence.run", "Sequence diagram: repeated exchanges, one of them, as each or as one", "",
       "from, to: times that hold a send of it (default: of the selected message); open: true or "
       "false (default: toggle)",
       open_run, needs_trace},
      {"sequence.colors",
       "Sequence diagram: arrows in the colour of their sender, or of their type", "",
       "by: sender or type (default: toggle); panel: id", color_arrows, needs_sequence},
      {"sequence.widths", "Sequence diagram: arrows by count, or by size", "",
       "by: count or size (default: toggle); panel: id", widen_arrows, needs_sequence},
  };
  return kCommands;
}

}  // namespace weft::app
