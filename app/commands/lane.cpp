// Commands on the lanes: scrolling, folding, which are shown and in which order, the height of
// rows.
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

// Changes how the lanes are arranged.
template <class Change>
Status arrange(Session& session, Change change) {
  WEFT_TRY_ASSIGN(OpenTrace * trace, current(session));
  change(trace->arrangement);
  ++trace->collapse_generation;
  return {};
}

template <bool kIsHidden>
Status hide_lane(Session& session, const Command& command) {
  WEFT_TRY_ASSIGN(OpenTrace * trace, current(session));
  WEFT_TRY_ASSIGN(const LaneId lane, lane_arg(command.args, *trace));
  return arrange(session, [&](layout::LaneArrangement& lanes) {
    kIsHidden ? (void)lanes.hidden.insert(lane) : (void)lanes.hidden.erase(lane);
  });
}

Status show_all_lanes(Session& session, const Command&) {
  return arrange(session, [](layout::LaneArrangement& lanes) {
    lanes.hidden.clear();
    lanes.hides_empty = false;
    lanes.filter.clear();
  });
}

// The lane and what lies below; its siblings go.
Status show_only_lane(Session& session, const Command& command) {
  WEFT_TRY_ASSIGN(OpenTrace * trace, current(session));
  WEFT_TRY_ASSIGN(const LaneId lane, lane_arg(command.args, *trace));
  const trace::Dictionary& dictionary = trace->trace()->dictionary();
  return arrange(session, [&](layout::LaneArrangement& lanes) {
    for (uint32_t i = 0; i < dictionary.lanes.size(); ++i) {
      const bool is_sibling =
          LaneId(i) != lane && dictionary.lanes[i].parent == dictionary.lane(lane).parent;
      if (is_sibling) lanes.hidden.insert(LaneId(i));
    }
    lanes.hidden.erase(lane);
  });
}

template <bool kIsPinned>
Status pin_lane(Session& session, const Command& command) {
  WEFT_TRY_ASSIGN(OpenTrace * trace, current(session));
  WEFT_TRY_ASSIGN(const LaneId lane, lane_arg(command.args, *trace));
  return arrange(session, [&](layout::LaneArrangement& lanes) {
    std::erase(lanes.pinned, lane);
    if (kIsPinned) lanes.pinned.push_back(lane);
  });
}

Status unpin_all(Session& session, const Command&) {
  return arrange(session, [](layout::LaneArrangement& lanes) { lanes.pinned.clear(); });
}

Status move_lane(Session& session, const Command& command) {
  WEFT_TRY_ASSIGN(OpenTrace * trace, current(session));
  WEFT_TRY_ASSIGN(const LaneId lane, lane_arg(command.args, *trace));
  LaneId before = LaneId::none();
  if (command.args.contains("before")) {
    WEFT_TRY_ASSIGN(before, lane_arg({{"lane", command.args["before"]}}, *trace));
  }
  return arrange(session, [&](layout::LaneArrangement& lanes) {
    std::erase_if(lanes.moves, [&](const layout::LaneMove& move) { return move.lane == lane; });
    lanes.moves.push_back({lane, before});
  });
}

Status sort_lanes(Session& session, const Command& command) {
  WEFT_TRY_ASSIGN(const std::string by, text_arg(command.args, "by"));
  const auto sort = layout::lane_sort_from_name(by);
  if (!sort) return fail("'by' must be trace, name, activity or first");
  return arrange(session, [&](layout::LaneArrangement& lanes) {
    lanes.sort = *sort;
    lanes.moves.clear();
  });
}

Status filter_lanes(Session& session, const Command& command) {
  WEFT_TRY_ASSIGN(std::string text, text_arg(command.args, "text"));
  constexpr size_t kMostBytes = 1'000;
  if (text.size() > kMostBytes) return fail("'text' is too long");
  return arrange(session, [&](layout::LaneArrangement& lanes) { lanes.filter = std::move(text); });
}

template <bool layout::LaneArrangement::* kFlag>
Status arrange_flag(Session& session, const Command& command) {
  const auto on = command.args.find("on");
  const bool is_given = on != command.args.end() && on->is_boolean();
  return arrange(session, [&](layout::LaneArrangement& lanes) {
    lanes.*kFlag = is_given ? on->get<bool>() : !(lanes.*kFlag);
  });
}

Status arrange_as_in_trace(Session& session, const Command&) {
  return arrange(session, [](layout::LaneArrangement& lanes) { lanes = {}; });
}

constexpr CommandRow kCommands[] = {
    {"scroll", "Scroll the lanes", "", "rows: by how many; or to: px from the top", scroll},
    {"lane.toggle", "Fold or unfold a lane", "", "lane: its number", fold_lane<Fold::kToggle>},
    {"lane.collapse", "Fold a lane", "", "lane: its number", fold_lane<Fold::kCollapse>},
    {"lane.expand", "Unfold a lane", "", "lane: its number", fold_lane<Fold::kExpand>},
    {"lane.collapse_all", "Fold all lanes", "Ctrl+Shift+C", "", collapse_all},
    {"lane.expand_all", "Unfold all lanes", "Ctrl+Shift+E", "", expand_all},
    {"lane.hide", "Hide a lane", "", "lane: its number", hide_lane<true>},
    {"lane.show", "Show a hidden lane", "", "lane: its number", hide_lane<false>},
    {"lane.show_only", "Hide the lanes beside it", "", "lane: its number", show_only_lane},
    {"lane.show_all", "Show all lanes", "Ctrl+Shift+H", "", show_all_lanes},
    {"lane.pin", "Keep a lane at the top", "", "lane: its number", pin_lane<true>},
    {"lane.unpin", "Put a lane back", "", "lane: its number", pin_lane<false>},
    {"lane.unpin_all", "Put all lanes back from the top", "", "", unpin_all},
    {"lane.move", "Move a lane", "", "lane; before: a sibling (default: to the end)", move_lane},
    {"lane.sort", "Sort the lanes", "", "by: trace, name, activity or first", sort_lanes},
    {"lane.filter", "Filter the lanes by name", "", "text: words of their paths", filter_lanes},
    {"lane.hide_empty", "Hide lanes without events", "Ctrl+Shift+M",
     "on: true or false (default: toggle)", arrange_flag<&layout::LaneArrangement::hides_empty>},
    {"lane.flat", "Lanes as a list instead of a tree", "", "on: true or false (default: toggle)",
     arrange_flag<&layout::LaneArrangement::is_flat>},
    {"lane.reset", "Lanes as in the trace", "", "", arrange_as_in_trace},
    {"row_height", "Height of rows", "", "px; or factor", row_height},
    {"row_height.larger", "Larger rows", "Alt+Up", "", change_row_height<2>},
    {"row_height.smaller", "Smaller rows", "Alt+Down", "", change_row_height<-2>},
};

}  // namespace

std::span<const CommandRow> lane_commands() { return kCommands; }

}  // namespace weft::app
