// Commands on the sequence diagram: what it shows, as options of the panel. They act on the panel
// named, on the one that has the focus, or on the first.
#include "app/session/commands/arguments.h"
#include "app/session/commands/groups.h"
#include "app/session/commands/obstacles.h"
#include "app/session/option_choices.h"
#include "core/query/link_ends.h"

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
  return fail("the panel is not a sequence diagram");
}

Status order_lanes(Session& session, const Command& command) {
  WEFT_TRY_ASSIGN(PanelInstance * panel, diagram_of(session, command.args));
  WEFT_TRY_ASSIGN(panel->options["order"], choice_arg(command.args, "by", kMessageOrders));
  return {};
}

// Where a lane stands, by the names of the two, so that it is so in another trace of the same
// system, too.
Status move_life_line(Session& session, const Command& command) {
  WEFT_TRY_ASSIGN(PanelInstance * panel, diagram_of(session, command.args));
  WEFT_TRY_ASSIGN(const OpenTrace* trace, current(session));
  const auto path_of = [&](const Json& args) -> Result<std::string> {
    WEFT_TRY_ASSIGN(const LaneId lane, lane_arg(args, *trace));
    return trace->trace()->dictionary().path_text(lane);
  };
  WEFT_TRY_ASSIGN(const std::string lane, path_of(command.args));
  Json move = {lane, nullptr};
  if (command.args.contains("before")) {
    WEFT_TRY_ASSIGN(move[1], path_of({{"lane", command.args["before"]}}));
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

// An option that is one of two: the other one where "by" is not given.
template <const char* kOption, const Choice (&kChoices)[2]>
Status choose(Session& session, const Command& command) {
  WEFT_TRY_ASSIGN(PanelInstance * panel, diagram_of(session, command.args));
  const auto now = panel->options.find(kOption);
  const bool is_second = now != panel->options.end() && *now == kChoices[1].id;
  WEFT_TRY_ASSIGN(panel->options[kOption],
                  choice_arg(command.args, "by", kChoices, kChoices[is_second ? 0 : 1].id));
  return {};
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
  WEFT_TRY_ASSIGN(const bool is_open, flag_arg(command.args, "open", were_open == 0));
  if (is_open) {
    if (runs.size() >= kMostOpenRuns) return fail("too many repeated exchanges are open");
    runs.push_back(sent);
  }
  trace->set_open_runs(std::move(runs));
  return {};
}

constexpr char kSpacing[] = "spacing";
constexpr char kRuns[] = "runs";
constexpr char kColors[] = "colors";
constexpr char kWidths[] = "widths";

constexpr Argument kDiagram = {"panel", "id", "the one with the focus, or the first"};

constexpr CommandRow kSequenceCommands[] = {
    {"sequence.order",
     "Order the lanes of the sequence diagram",
     "",
     {one_of("by", kMessageOrders), kDiagram},
     order_lanes,
     needs_sequence},
    {"sequence.move",
     "Move a lane of the sequence diagram",
     "",
     {{"lane", "its name, path or number"}, {"before", "that of another", "to the end"}, kDiagram},
     move_life_line,
     needs_sequence},
    {"sequence.reset",
     "Lanes of the sequence diagram as they were ordered",
     "",
     {kDiagram},
     reset_lanes,
     needs_sequence},
    {"sequence.spacing",
     "Sequence diagram: by time, or one event below the other",
     "",
     {one_of("by", kMessageSpacings, "toggle"), kDiagram},
     choose<kSpacing, kMessageSpacings>,
     needs_sequence},
    {"sequence.runs",
     "Sequence diagram by event: repeated exchanges as one, or each",
     "",
     {one_of("by", kMessageRuns, "toggle"), kDiagram},
     choose<kRuns, kMessageRuns>,
     needs_sequence},
    {"sequence.run",
     "Sequence diagram: repeated exchanges, one of them, as each or as one",
     "",
     {{"from"},
      {"to", "times that hold a send of it", "of the selected message"},
      flag("open", "toggle")},
     open_run,
     needs_trace},
    {"sequence.colors",
     "Sequence diagram: arrows in the colour of their sender, or of their type",
     "",
     {one_of("by", kArrowColors, "toggle"), kDiagram},
     choose<kColors, kArrowColors>,
     needs_sequence},
    {"sequence.widths",
     "Sequence diagram: arrows by count, or by size",
     "",
     {one_of("by", kArrowWidths, "toggle"), kDiagram},
     choose<kWidths, kArrowWidths>,
     needs_sequence},
};

}  // namespace

std::span<const CommandRow> sequence_commands() { return kSequenceCommands; }

}  // namespace weft::app
