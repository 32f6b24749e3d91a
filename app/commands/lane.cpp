// Commands on the lanes: scrolling, folding, the height of rows.
#include <algorithm>
#include <cmath>

#include "app/commands/arguments.h"
#include "app/commands/groups.h"

namespace weft::app {
namespace {

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

constexpr CommandRow kCommands[] = {
    {"scroll", "Scroll the lanes", "", "rows: by how many; or to: px from the top", scroll},
    {"lane.toggle", "Fold or unfold a lane", "", "lane: its number", fold_lane<Fold::kToggle>},
    {"lane.collapse", "Fold a lane", "", "lane: its number", fold_lane<Fold::kCollapse>},
    {"lane.expand", "Unfold a lane", "", "lane: its number", fold_lane<Fold::kExpand>},
    {"lane.collapse_all", "Fold all lanes", "Ctrl+Shift+C", "", collapse_all},
    {"lane.expand_all", "Unfold all lanes", "Ctrl+Shift+E", "", expand_all},
    {"row_height", "Height of rows", "", "px; or factor", row_height},
    {"row_height.larger", "Larger rows", "Ctrl+= Ctrl+Shift+= Ctrl++", "", change_row_height<2>},
    {"row_height.smaller", "Smaller rows", "Ctrl+-", "", change_row_height<-2>},
};

}  // namespace

std::span<const CommandRow> lane_commands() { return kCommands; }

}  // namespace weft::app
