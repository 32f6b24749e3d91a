// Commands on the lanes: scrolling, folding, which are shown and in which order, the height of
// rows.
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "app/session/commands/arguments.h"
#include "app/session/commands/groups.h"
#include "app/session/commands/obstacles.h"

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
    scroll_to(*trace, trace->view().scroll_px + rows * session.look.row_height_px, command.gesture);
  }
  return {};
}

enum class Fold : uint8_t { kCollapse, kExpand, kToggle };

// Changes which lanes are shown, and how: one step.
template <class Change>
Status show(Session& session, const Command& command, Change change) {
  WEFT_TRY_ASSIGN(OpenTrace * trace, current(session));
  LaneView lanes = *trace->lanes();
  change(lanes);
  trace->show_lanes(std::move(lanes), command.gesture);
  return {};
}

// Changes how the lanes are arranged.
template <class Change>
Status arrange(Session& session, const Command& command, Change change) {
  return show(session, command, [&](LaneView& lanes) { change(lanes.arrangement); });
}

template <Fold kFold>
Status fold_lane(Session& session, const Command& command) {
  WEFT_TRY_ASSIGN(OpenTrace * trace, current(session));
  WEFT_TRY_ASSIGN(const LaneId lane, lane_arg(command.args, *trace));
  return show(session, command, [&](LaneView& lanes) {
    const bool was_collapsed = lanes.collapsed.erase(lane) > 0;
    if (kFold == Fold::kCollapse || (kFold == Fold::kToggle && !was_collapsed)) {
      lanes.collapsed.insert(lane);
    }
  });
}

Status collapse_all(Session& session, const Command& command) {
  WEFT_TRY_ASSIGN(OpenTrace * trace, current(session));
  if (!trace->trace()) return fail("the trace is still empty");
  const layout::LaneForest forest(trace->trace()->dictionary(), trace->arrangement().groups);
  return show(session, command, [&](LaneView& lanes) {
    for (const LaneId lane : forest.order()) {
      if (!forest.parent(lane).is_none()) lanes.collapsed.insert(forest.parent(lane));
    }
  });
}

Status expand_all(Session& session, const Command& command) {
  return show(session, command, [](LaneView& lanes) { lanes.collapsed.clear(); });
}

Status row_height(Session& session, const Command& command) {
  double px = session.look.row_height_px;
  if (command.args.contains("factor")) {
    WEFT_TRY_ASSIGN(const double factor, positive_arg(command.args, "factor"));
    px *= factor;
  } else {
    WEFT_TRY_ASSIGN(px, positive_arg(command.args, "px"));
  }
  session.set_row_height(std::clamp(std::round(px), kLeastRowPx, kMostRowPx), command.gesture);
  return {};
}

template <int kStepPx>
Status change_row_height(Session& session, const Command& command) {
  const double px = std::max(1.0, session.look.row_height_px + kStepPx);
  return row_height(session, {"row_height", {{"px", px}}, command.gesture});
}

// The panel knows its lanes and its height: it answers with row_height.
Status fit_rows(Session& session, const Command&) {
  WEFT_TRY(clear_of(needs_timeline_of_trace(session)));
  const PanelInstance* panel = session.desk.layout.find(session.desk.layout.focused());
  if (!panel || panel->kind != "gantt") panel = session.desk.layout.first_of("gantt");
  session.orders.fit_rows_in = panel->id;
  return {};
}

// "lanes", or the one "lane", which may be a group.
Result<std::vector<LaneId>> some_lanes_arg(const Json& args, const OpenTrace& trace) {
  if (args.contains("lanes")) return lanes_arg(args, trace);
  WEFT_TRY_ASSIGN(const LaneId lane, lane_arg(args, trace));
  return std::vector<LaneId>{lane};
}

// For asking of many lanes whether they are among many.
std::unordered_set<LaneId> set_of(const std::vector<LaneId>& lanes) {
  return {lanes.begin(), lanes.end()};
}

// What is hidden is not selected either: sums would be of what nobody sees.
Status hide_lanes(Session& session, const Command& command) {
  WEFT_TRY_ASSIGN(OpenTrace * trace, current(session));
  WEFT_TRY_ASSIGN(const std::vector<LaneId> hidden, some_lanes_arg(command.args, *trace));
  const std::unordered_set<LaneId> gone = set_of(hidden);
  std::erase_if(trace->selected_lanes, [&](LaneId lane) { return gone.contains(lane); });
  return arrange(session, command, [&](layout::LaneArrangement& lanes) {
    lanes.hidden.insert(hidden.begin(), hidden.end());
  });
}

Status show_lanes(Session& session, const Command& command) {
  WEFT_TRY_ASSIGN(OpenTrace * trace, current(session));
  WEFT_TRY_ASSIGN(const std::vector<LaneId> shown, some_lanes_arg(command.args, *trace));
  return arrange(session, command, [&](layout::LaneArrangement& lanes) {
    for (const LaneId lane : shown) lanes.hidden.erase(lane);
  });
}

// Brings a lane back from wherever it is hidden, with those above it. What else leaves lanes out
// goes on where it is not what hides this one.
void bring_back(LaneView& lanes, LaneId lane, const store::Trace& trace) {
  layout::LaneArrangement& now = lanes.arrangement;
  const layout::LaneForest forest(trace.dictionary(), now.groups);
  LaneId at = lane;
  for (size_t i = 0; i < forest.slots() && !at.is_none(); ++i) {
    now.hidden.erase(at);
    if (at != lane) lanes.collapsed.erase(at);
    at = forest.parent(at);
  }
  const layout::LaneArrangement was = now;
  now.filter.clear();
  now.hides_empty = false;
  now.shows_eventless = true;
  const auto restore = [&](auto part) {
    layout::LaneArrangement tried = now;
    tried.*part = was.*part;
    if (layout::place_of_lane(trace.dictionary(), trace.rows(), tried, lane).is_shown)
      now = std::move(tried);
  };
  restore(&layout::LaneArrangement::filter);
  restore(&layout::LaneArrangement::hides_empty);
  restore(&layout::LaneArrangement::shows_eventless);
}

// Lanes that are brought back and the move to them are undone together.
Command as_one_step(Command command) {
  if (command.gesture == 0) command.gesture = new_gesture();
  return command;
}

Status reveal_lane(Session& session, const Command& command) {
  WEFT_TRY_ASSIGN(OpenTrace * trace, current(session));
  WEFT_TRY_ASSIGN(const LaneId lane, lane_arg(command.args, *trace));
  const store::TracePtr snapshot = trace->trace();
  const Command step = as_one_step(command);
  WEFT_TRY(show(session, step, [&](LaneView& lanes) { bring_back(lanes, lane, *snapshot); }));
  trace->reveal_element(step.gesture);
  return {};
}

// Scrolls to a lane, which is unfolded and, where it has to be, brought back.
Status go_to_lane(Session& session, const Command& command) {
  WEFT_TRY_ASSIGN(OpenTrace * trace, current(session));
  WEFT_TRY_ASSIGN(const LaneId lane, lane_arg(command.args, *trace));
  const Command step = as_one_step(command);
  const trace::Dictionary& dictionary = trace->trace()->dictionary();
  const layout::LanePlace place =
      layout::place_of_lane(dictionary, trace->trace()->rows(), trace->arrangement(), lane);
  const auto is_folded = [&](LaneId at) {
    return at != lane && trace->lanes()->collapsed.contains(at);
  };
  if (!place.is_shown || std::ranges::any_of(place.path, is_folded)) {
    WEFT_TRY(show(session, step, [&](LaneView& lanes) {
      if (!place.is_shown) return bring_back(lanes, lane, *trace->trace());
      std::erase_if(lanes.collapsed,
                    [&](LaneId at) { return at != lane && layout::has_lane(place.path, at); });
    }));
  }
  trace->reveal_lane(lane, step.gesture);
  return {};
}

Status show_all_lanes(Session& session, const Command& command) {
  return arrange(session, command, [](layout::LaneArrangement& lanes) {
    lanes.hidden.clear();
    lanes.shows_eventless = true;
    lanes.hides_empty = false;
    lanes.filter.clear();
  });
}

// Lanes with what lies above and below them.
Status show_only_lanes(Session& session, const Command& command) {
  WEFT_TRY_ASSIGN(OpenTrace * trace, current(session));
  WEFT_TRY_ASSIGN(const std::vector<LaneId> only, some_lanes_arg(command.args, *trace));
  const layout::LaneForest forest(trace->trace()->dictionary(), trace->arrangement().groups);
  return arrange(session, command, [&](layout::LaneArrangement& lanes) {
    for (const LaneId other : forest.beside(only)) lanes.hidden.insert(other);
    for (const LaneId lane : only) {
      for (LaneId at = lane; at != LaneId::none(); at = forest.parent(at)) lanes.hidden.erase(at);
    }
  });
}

// The lane that the argument `before` names; none: there is no such argument.
Result<LaneId> before_arg(const Json& args, const OpenTrace& trace) {
  if (!args.contains("before")) return LaneId::none();
  return lane_arg({{"lane", args["before"]}}, trace);
}

Status pin_lanes(Session& session, const Command& command) {
  WEFT_TRY_ASSIGN(OpenTrace * trace, current(session));
  WEFT_TRY_ASSIGN(const std::vector<LaneId> pinned, some_lanes_arg(command.args, *trace));
  WEFT_TRY_ASSIGN(const LaneId before, before_arg(command.args, *trace));
  return arrange(session, command, [&](layout::LaneArrangement& lanes) {
    const std::unordered_set<LaneId> moved = set_of(pinned);
    std::erase_if(lanes.pinned, [&](LaneId lane) { return moved.contains(lane); });
    lanes.pinned.insert(std::ranges::find(lanes.pinned, before), pinned.begin(), pinned.end());
  });
}

Status unpin_lanes(Session& session, const Command& command) {
  WEFT_TRY_ASSIGN(OpenTrace * trace, current(session));
  WEFT_TRY_ASSIGN(const std::vector<LaneId> pinned, some_lanes_arg(command.args, *trace));
  return arrange(session, command, [&](layout::LaneArrangement& lanes) {
    const std::unordered_set<LaneId> gone = set_of(pinned);
    std::erase_if(lanes.pinned, [&](LaneId lane) { return gone.contains(lane); });
  });
}

Status unpin_all(Session& session, const Command& command) {
  return arrange(session, command, [](layout::LaneArrangement& lanes) { lanes.pinned.clear(); });
}

Status move_lane(Session& session, const Command& command) {
  WEFT_TRY_ASSIGN(OpenTrace * trace, current(session));
  WEFT_TRY_ASSIGN(const LaneId lane, lane_arg(command.args, *trace));
  WEFT_TRY_ASSIGN(const LaneId before, before_arg(command.args, *trace));
  return arrange(session, command, [&](layout::LaneArrangement& lanes) {
    std::erase_if(lanes.moves, [&](const layout::LaneMove& move) { return move.lane == lane; });
    lanes.moves.push_back({lane, before});
  });
}

constexpr Choice kSorts[] = {{"trace"}, {"name"}, {"activity"}, {"first"}};

Status sort_lanes(Session& session, const Command& command) {
  WEFT_TRY_ASSIGN(const std::string by, choice_arg(command.args, "by", kSorts));
  return arrange(session, command, [&](layout::LaneArrangement& lanes) {
    lanes.sort = *layout::lane_sort_from_name(by);
    lanes.moves.clear();
  });
}

Status filter_lanes(Session& session, const Command& command) {
  WEFT_TRY_ASSIGN(std::string text, text_arg(command.args, "text"));
  constexpr size_t kMostBytes = 1'000;
  if (text.size() > kMostBytes) return fail("'text' is too long");
  return arrange(session, command,
                 [&](layout::LaneArrangement& lanes) { lanes.filter = std::move(text); });
}

template <bool layout::LaneArrangement::* kFlag>
Status arrange_flag(Session& session, const Command& command) {
  WEFT_TRY_ASSIGN(const OpenTrace* trace, current(session));
  WEFT_TRY_ASSIGN(const bool is_on, flag_arg(command.args, "on", !(trace->arrangement().*kFlag)));
  return arrange(session, command, [&](layout::LaneArrangement& lanes) { lanes.*kFlag = is_on; });
}

Status hide_empty(Session& session, const Command& command) {
  WEFT_TRY(arrange_flag<&layout::LaneArrangement::hides_empty>(session, command));
  const OpenTrace* trace = session.trace();
  if (trace->arrangement().hides_empty && !trace->view().filter.is_set())
    session.messages.say("No filter is set: lanes in which nothing passes are hidden once one is");
  return {};
}

// All levels, a few, one: as many as one has at once under a key.
constexpr std::array<uint32_t, 3> kLevels = {0, 4, 1};

// The most levels of states that a lane has.
uint32_t deepest_of(const OpenTrace& trace) {
  uint32_t deepest = 0;
  if (!trace.trace()) return deepest;
  for (const store::Row& row : trace.trace()->rows()) {
    if (row.kind == store::RowKind::kState) deepest = std::max(deepest, row.depth + 1);
  }
  return deepest;
}

// What the key leads to: the next of kLevels that shows more or fewer than now; nullopt: none does.
std::optional<uint32_t> next_levels(uint32_t now, uint32_t deepest) {
  const auto shown = [&](uint32_t levels) {
    return levels == 0 ? deepest : std::min(levels, deepest);
  };
  const auto at = std::ranges::find(kLevels, now);
  size_t next =
      at == kLevels.end() ? kLevels.size() - 1 : static_cast<size_t>(at - kLevels.begin());
  for (size_t i = 0; i < kLevels.size(); ++i) {
    next = (next + 1) % kLevels.size();
    if (shown(kLevels[next]) != shown(now)) return kLevels[next];
  }
  return std::nullopt;
}

Status limit_levels(Session& session, const Command& command) {
  std::optional<uint32_t> levels;
  if (command.args.contains("count")) {
    constexpr int64_t kMost = 1'000;
    WEFT_TRY_ASSIGN(const int64_t count, integer_arg(command.args, "count", 0, kMost));
    levels = static_cast<uint32_t>(count);
  }
  if (!levels) {
    WEFT_TRY_ASSIGN(const OpenTrace* trace, current(session));
    levels = next_levels(trace->arrangement().levels, deepest_of(*trace));
    if (!levels) {
      session.messages.say("No lane has states within states: all levels are shown");
      return {};
    }
  }
  return arrange(session, command, [&](layout::LaneArrangement& lanes) { lanes.levels = *levels; });
}

Result<std::string> group_name_arg(const Json& args) {
  WEFT_TRY_ASSIGN(std::string name, text_arg(args, "name"));
  constexpr size_t kMostBytes = 1'000;
  if (name.empty()) return fail("'name' must not be empty");
  if (name.size() > kMostBytes) return fail("'name' is too long");
  return name;
}

// Those lanes are in no group; a group without any is none.
void take_out(const std::vector<LaneId>& lanes, std::vector<layout::LaneGroup>& groups) {
  const std::unordered_set<LaneId> gone = set_of(lanes);
  for (layout::LaneGroup& group : groups) {
    std::erase_if(group.lanes, [&](LaneId lane) { return gone.contains(lane); });
  }
  std::erase_if(groups, [](const layout::LaneGroup& group) { return group.lanes.empty(); });
}

// What is left of these groups; of those that are gone nothing else is kept.
Status use_groups(Session& session, const Command& command, std::vector<layout::LaneGroup> groups) {
  return show(session, command, [&](LaneView& lanes) {
    layout::LaneArrangement& now = lanes.arrangement;
    now.groups = std::move(groups);
    const auto is_gone = [&](LaneId lane) {
      return layout::is_group(lane) && !layout::find_group(now.groups, lane);
    };
    std::erase_if(lanes.collapsed, is_gone);
    std::erase_if(now.hidden, is_gone);
    std::erase_if(now.pinned, is_gone);
    std::erase_if(now.moves, [&](const layout::LaneMove& move) {
      return is_gone(move.lane) || is_gone(move.before);
    });
  });
}

// Into the group of that name, or a new one.
Status group_lanes(Session& session, const Command& command) {
  WEFT_TRY_ASSIGN(OpenTrace * trace, current(session));
  WEFT_TRY_ASSIGN(std::string name, group_name_arg(command.args));
  WEFT_TRY_ASSIGN(std::vector<LaneId> lanes, lanes_arg(command.args, *trace));
  if (lanes.empty()) {
    WEFT_TRY(clear_of(needs_lanes(session)));
    lanes = trace->selected_lanes;
  }
  std::vector<layout::LaneGroup> groups = trace->arrangement().groups;
  const auto named = std::ranges::find(groups, name, &layout::LaneGroup::name);
  if (named != groups.end()) {
    const std::unordered_set<LaneId> there = set_of(named->lanes);
    std::erase_if(lanes, [&](LaneId lane) { return there.contains(lane); });
  }
  take_out(lanes, groups);
  auto group = std::ranges::find(groups, name, &layout::LaneGroup::name);
  if (group == groups.end()) {
    if (groups.size() == layout::kMostGroups) return fail("there are too many groups");
    uint32_t number = 0;
    while (std::ranges::find(groups, number, &layout::LaneGroup::number) != groups.end()) ++number;
    group = groups.insert(groups.end(), {number, std::move(name), {}});
  }
  group->lanes.insert(group->lanes.end(), lanes.begin(), lanes.end());
  return use_groups(session, command, std::move(groups));
}

// A group, or a lane out of its group.
Status ungroup_lanes(Session& session, const Command& command) {
  WEFT_TRY_ASSIGN(OpenTrace * trace, current(session));
  WEFT_TRY_ASSIGN(const LaneId lane, lane_arg(command.args, *trace));
  std::vector<layout::LaneGroup> groups = trace->arrangement().groups;
  take_out(lanes_of(lane, *trace), groups);
  if (groups == trace->arrangement().groups) return fail("the lane is in no group");
  return use_groups(session, command, std::move(groups));
}

Status rename_group(Session& session, const Command& command) {
  WEFT_TRY_ASSIGN(OpenTrace * trace, current(session));
  WEFT_TRY_ASSIGN(const LaneId lane, lane_arg(command.args, *trace));
  WEFT_TRY_ASSIGN(const std::string name, group_name_arg(command.args));
  const auto& groups = trace->arrangement().groups;
  const layout::LaneGroup* renamed = layout::find_group(groups, lane);
  if (!renamed) return fail("'lane' must be the name or the number of a group");
  for (const layout::LaneGroup& group : groups) {
    if (&group != renamed && group.name == name) return fail("there is a group of that name");
  }
  const size_t at = static_cast<size_t>(renamed - groups.data());
  return arrange(session, command,
                 [&](layout::LaneArrangement& lanes) { lanes.groups[at].name = name; });
}

Status arrange_as_in_trace(Session& session, const Command& command) {
  return arrange(session, command, [](layout::LaneArrangement& lanes) { lanes = {}; });
}

constexpr Argument kLane = {"lane", "its name, path or number"};
constexpr Arguments kSome = {kLane, instead({"lanes", "a list of them"})};
constexpr Arguments kPinned = {
    kLane, instead({"lanes", "a list of them"}), {"before", "another one there", "the last"}};

constexpr CommandRow kLaneCommands[] = {
    {"scroll",
     "Scroll the lanes",
     "",
     {{"rows", "by how many"}, instead({"to", "px from the top"})},
     scroll,
     needs_trace},
    {"lane.toggle", "Fold or unfold a lane", "", {kLane}, fold_lane<Fold::kToggle>, needs_trace},
    {"lane.collapse", "Fold a lane", "", {kLane}, fold_lane<Fold::kCollapse>, needs_trace},
    {"lane.expand", "Unfold a lane", "", {kLane}, fold_lane<Fold::kExpand>, needs_trace},
    {"lane.collapse_all", "Fold all lanes", "Ctrl+Shift+C", {}, collapse_all, needs_trace},
    {"lane.expand_all", "Unfold all lanes", "Ctrl+Shift+E", {}, expand_all, needs_folded_lanes},
    {"lane.hide", "Hide a lane", "", kSome, hide_lanes, needs_trace},
    {"lane.show", "Show a hidden lane", "", kSome, show_lanes, needs_hidden_lanes},
    {"lane.reveal",
     "Bring a lane back that is not shown",
     "",
     {kLane},
     reveal_lane,
     needs_lanes_left_out},
    {"lane.go", "Go to a lane", "", {kLane}, go_to_lane, needs_trace},
    {"lane.show_only", "Show only one lane", "", kSome, show_only_lanes, needs_trace},
    {"lane.show_all", "Show all lanes", "Ctrl+Shift+H", {}, show_all_lanes, needs_lanes_left_out},
    {"lane.pin", "Keep a lane at the top", "", kPinned, pin_lanes, needs_trace},
    {"lane.unpin", "Put a lane back", "", kSome, unpin_lanes, needs_pinned_lanes},
    {"lane.unpin_all", "Put all lanes back from the top", "", {}, unpin_all, needs_pinned_lanes},
    {"lane.move",
     "Move a lane",
     "",
     {kLane, {"before", "a sibling", "to the end"}},
     move_lane,
     needs_trace},
    {"lane.group",
     "Group the selected lanes",
     "",
     {{"name", "of the group"}, {"lanes", "their names or numbers", "those selected"}},
     group_lanes,
     needs_lanes},
    {"lane.ungroup",
     "Take the lane out of its group",
     "",
     {{"lane", "its name, path or number, or a group's: all of it"}},
     ungroup_lanes,
     needs_lane_groups},
    {"lane.rename_group",
     "Rename a group of lanes",
     "",
     {{"lane", "name or number of the group"}, {"name", "the new one"}},
     rename_group,
     needs_lane_groups},
    {"lane.sort", "Sort the lanes", "", {one_of("by", kSorts)}, sort_lanes, needs_trace},
    {"lane.filter",
     "Filter the lanes by name",
     "",
     {{"text", "words of their paths"}},
     filter_lanes,
     needs_trace},
    {"lane.hide_empty",
     "Hide lanes in which nothing passes",
     "Ctrl+Shift+M",
     {kOn},
     hide_empty,
     needs_trace},
    {"lane.flat",
     "Lanes as a list instead of a tree",
     "",
     {kOn},
     arrange_flag<&layout::LaneArrangement::is_flat>,
     needs_trace},
    {"lane.levels",
     "Levels of states: all, 4, 1",
     "X",
     {{"count", "at most, the last a summary of what is deeper; 0: all", "the next of all, 4, 1"}},
     limit_levels,
     needs_trace},
    {"lane.reset", "Lanes as in the trace", "", {}, arrange_as_in_trace, needs_own_lane_order},
    {"row_height",
     "Height of rows",
     "",
     {{"px", "high"}, instead({"factor", "> 1 is higher"})},
     row_height},
    {"row_height.fit", "Fit the rows to the panel", "Alt+0", {}, fit_rows, needs_timeline_of_trace},
    {"row_height.larger", "Larger rows", "Alt+Up", {}, change_row_height<2>},
    {"row_height.smaller", "Smaller rows", "Alt+Down", {}, change_row_height<-2>},
};

}  // namespace

std::span<const CommandRow> lane_commands() { return kLaneCommands; }

}  // namespace weft::app
