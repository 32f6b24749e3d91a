// Commands on panels and how they are arranged.
#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <ranges>
#include <string>
#include <utility>
#include <vector>

#include "app/session/commands/arguments.h"
#include "app/session/commands/groups.h"
#include "app/session/commands/obstacles.h"
#include "app/session/density_scale.h"
#include "app/session/option_choices.h"
#include "app/session/panel_kinds.h"
#include "app/session/panel_options.h"
#include "app/session/pinned_scope.h"
#include "app/session/scope.h"
#include "app/session/timeline_options.h"
#include "app/session/view_state.h"
#include "core/base/text.h"

namespace weft::app {
namespace {

constexpr size_t kMostNamedLayouts = 100;

constexpr Choice kSides[] = {{"tab"}, {"left"}, {"right"}, {"top"}, {"bottom"}};
constexpr Choice kPinnedTo[] = {{"view"}, {"trace"}};

// "side", or `otherwise` where it is not given.
Result<Side> side_arg(const Json& args, Side otherwise) {
  WEFT_TRY_ASSIGN(const std::string name, choice_arg(args, "side", kSides, name_of(otherwise)));
  return *side_from_name(name);
}

Status room_for_another(Session& session, const PanelKind& row) {
  return room_for(session, session.desk.layout, row, session.desk.layout.count_of(row.id) + 1);
}

// What only a table that is drawn knows is answered there.
void check_sort(Session& session, const std::string& panel, std::string_view option,
                const Json& value) {
  constexpr std::string_view kSort = "sort";
  if (!option.ends_with(kSort)) return;
  option.remove_suffix(std::min(option.size(), kSort.size() + 1));  // "types.sort": of "types"
  SortOrder order;
  order.panel = panel;
  order.table = option;
  order.is_option = true;
  std::erase_if(session.orders.sorts, [&](const SortOrder& other) {
    return other.is_option && other.panel == panel && other.table == order.table;
  });
  const std::string column = value.is_string() ? value.get<std::string>() : "";
  order.column = column.substr(column.starts_with('-') ? 1 : 0);
  if (!order.column.empty()) session.orders.sorts.push_back(std::move(order));
}

Status panel_open(Session& session, const Command& command) {
  WEFT_TRY_ASSIGN(const std::string kind, text_arg(command.args, "panel"));
  WEFT_TRY_ASSIGN(const PanelKind* row, panel_kind_named(kind));
  WEFT_TRY_ASSIGN(const Json options, object_arg(command.args, "options"));
  const PanelInstance* there = session.desk.layout.first_of(kind);
  for (const auto& [option, value] : options.items()) {
    WEFT_TRY(check_option(*row, option, value));
    WEFT_TRY(check_option_in(session, there ? there->id : kind, *row, option, value));
  }
  if (!there) WEFT_TRY(room_for_another(session, *row));
  const auto id = open_panel(session.desk.layout, *row);
  if (!id) return {};
  for (const auto& [option, value] : options.items()) {
    set_option_in(session, *session.desk.layout.find(*id), option, value);
    check_sort(session, *id, option, value);
  }
  return {};
}

Status panel_close(Session& session, const Command& command) {
  WEFT_TRY_ASSIGN(const PanelInstance* panel, panel_arg(session, command.args));
  const PanelInstance closed = *panel;
  const auto shown = shown_in(session, closed.id);
  const Json options = options_in(closed, shown ? shown->trace : nullptr);
  (void)session.desk.layout.close(closed.id);
  for (const auto& trace : session.traces) trace->panel_options.erase(closed.id);
  const PanelKind* row = find_panel_kind(closed.kind);
  session.messages.say(fmt::format("{} closed", row->title), /*is_error=*/false,
                       Offer{"Open it again",
                             "panel.open",
                             {{"panel", closed.kind}, {"options", known_options(*row, options)}}});
  return {};
}

Status panel_duplicate(Session& session, const Command& command) {
  WEFT_TRY_ASSIGN(const PanelInstance* panel, panel_arg(session, command.args));
  WEFT_TRY_ASSIGN(const Side side, side_arg(command.args, Side::kBottom));
  const PanelInstance original = *panel;
  WEFT_TRY(room_for_another(session, *find_panel_kind(original.kind)));
  const auto id = session.desk.layout.open(original.kind, original.id, side);
  PanelInstance& copy = *session.desk.layout.find(*id);
  copy.options = original.options;
  copy.pinned = original.pinned;
  copy.group = original.group;
  for (const auto& trace : session.traces) {
    if (const Json* theirs = find_object(trace->panel_options, original.id))
      trace->panel_options[copy.id] = Json(*theirs);
  }
  return {};
}

Status panel_move(Session& session, const Command& command) {
  WEFT_TRY_ASSIGN(const PanelInstance* panel, panel_arg(session, command.args));
  WEFT_TRY_ASSIGN(const Side side, side_arg(command.args, Side::kTab));
  WEFT_TRY_ASSIGN(const std::string beside, text_arg(command.args, "beside", ""));
  if (!beside.empty()) WEFT_TRY(open_panel_named(session, beside));
  (void)session.desk.layout.move(std::string(panel->id), beside, side);
  return {};
}

Status resize_parts(Session& session, const Json& sizes) {
  std::map<std::string, double> px;
  for (const auto& [panel, size] : sizes.items()) {
    if (!size.is_number()) return fail("'sizes' must be pixels by panel");
    px[panel] = size.get<double>();
  }
  if (session.desk.layout.resize(px)) return {};
  return fail("'sizes' must name parts of one row or column");
}

Status panel_resize(Session& session, const Command& command) {
  if (command.args.contains("sizes")) return resize_parts(session, command.args["sizes"]);
  WEFT_TRY_ASSIGN(const PanelInstance* panel, panel_arg(session, command.args));
  WEFT_TRY_ASSIGN(const std::string beside, text_arg(command.args, "beside"));
  bool is_done = false;
  if (command.args.contains("px")) {
    WEFT_TRY_ASSIGN(const double px, positive_arg(command.args, "px"));
    is_done = session.desk.layout.resize_px(panel->id, beside, px);
  } else {
    WEFT_TRY_ASSIGN(const double share, positive_arg(command.args, "share"));
    is_done = session.desk.layout.resize_share(panel->id, beside, share);
  }
  return is_done ? Status() : fail(fmt::format("'{}' and '{}' do not meet", panel->id, beside));
}

void give_focus(Session& session, const PanelInstance& panel) {
  (void)session.desk.layout.focus(std::string(panel.id));
  if (panel.stays_with_trace()) session.select_trace(panel.pinned->trace_id);
}

Status panel_focus(Session& session, const Command& command) {
  WEFT_TRY_ASSIGN(const PanelInstance* panel, panel_arg(session, command.args));
  give_focus(session, *panel);
  return {};
}

// As they lie in the window, round the end.
template <bool kIsForward>
Status panel_step(Session& session, const Command&) {
  const std::vector<std::string> places = session.desk.layout.in_places();
  WEFT_TRY(clear_of(needs_panel(session)));
  const auto now = std::ranges::find(places, session.desk.layout.focused());
  const size_t count = places.size();
  const size_t from = now == places.end() ? (kIsForward ? count - 1 : 0)
                                          : static_cast<size_t>(now - places.begin());
  const PanelInstance& next =
      *session.desk.layout.find(places[(from + (kIsForward ? 1 : count - 1)) % count]);
  give_focus(session, next);
  // One that is alone in its place has no tab that shows it.
  session.messages.say("Keys are for: " + std::string(find_panel_kind(next.kind)->title));
  return {};
}

Status panel_pin(Session& session, const Command& command) {
  WEFT_TRY(clear_of(needs_trace(session)));
  WEFT_TRY_ASSIGN(PanelInstance * panel, panel_arg(session, command.args));
  WEFT_TRY_ASSIGN(const bool is_pinned, flag_arg(command.args, "pinned", panel->is_linked()));
  WEFT_TRY_ASSIGN(const std::string to, choice_arg(command.args, "to", kPinnedTo, "view"));
  if (!is_pinned) {
    panel->pinned.reset();
    panel->group.clear();
    return {};
  }
  WEFT_TRY_ASSIGN(const OpenTrace* trace, trace_arg(session, command.args));
  if (to == "trace") {
    panel->group.clear();
    panel->pinned = PinnedView{trace->id(), std::nullopt};
  } else if (command.args.contains("view")) {
    WEFT_TRY_ASSIGN(ViewHistory history, own_view_from_json(command.args["view"]));
    panel->group.clear();
    panel->pinned = PinnedView{trace->id(), std::move(history)};
  } else if (!panel->has_own_view()) {
    panel->pinned = PinnedView{trace->id(), trace->history().views()};
    panel->pinned->history->follow = Follow::kNothing;
    panel->pinned->history->is_apart = true;
  }
  return {};
}

// The first of its kind that looks at the current trace as all do, or another one.
Result<PanelInstance*> linked_panel(Session& session, const PanelKind& row) {
  for (const PanelInstance& panel : session.desk.layout.panels()) {
    if (panel.kind != row.id || !panel.is_linked()) continue;
    (void)session.desk.layout.focus(std::string(panel.id));
    return session.desk.layout.find(panel.id);
  }
  WEFT_TRY(room_for_another(session, row));
  return session.desk.layout.find(*open_another(session.desk.layout, row));
}

// Also from a panel with a view of its own, so the range is read as it is shown there.
Status panel_show_in(Session& session, const Command& command) {
  WEFT_TRY_ASSIGN(const PanelInstance* panel, panel_arg(session, command.args));
  WEFT_TRY_ASSIGN(const std::string kind, text_arg(command.args, "kind"));
  WEFT_TRY_ASSIGN(const PanelKind* row, panel_kind_named(kind));
  if (!row->is_of_range) return fail(fmt::format("{} shows no range of time", row->title));
  const auto shown = shown_in(session, panel->id);
  // What has an axis of time shows the window.
  const bool has_axis = find_panel_kind(panel->kind)->has_time_axis || panel->kind == "sequence";
  std::string scope(has_axis || !shown ? "window" : default_scope(*shown->trace));
  if (panel->options.contains("scope") && panel->options["scope"].is_string())
    scope = panel->options["scope"].get<std::string>();
  WEFT_TRY_ASSIGN(PanelInstance * target, linked_panel(session, *row));
  target->options["scope"] = scope;
  if (!shown) return {};
  session.select_trace(shown->trace->id());
  OpenTrace& trace = *session.trace();
  View view = trace.view();
  view.window = shown->view.window;
  trace.navigate(view, command.gesture);
  return {};
}

// What the filter takes of the whole trace, as a table. Where hits are only marked, the rest is
// greyed from now on: tables are of what is drawn as taken.
Status find_list(Session& session, const Command& command) {
  WEFT_TRY_ASSIGN(OpenTrace * trace, current(session));
  ViewFilter filter = trace->view().filter;
  if (!filter.is_set()) return fail("there is no filter whose hits could be listed");
  WEFT_TRY_ASSIGN(PanelInstance * table, linked_panel(session, *find_panel_kind("events")));
  session.recent.add_filter(filter.text);
  table->options["scope"] = "trace";
  table->options.erase("events");
  if (filter.mode != FilterMode::kOff) return {};
  filter.mode = FilterMode::kDim;
  trace->set_filter(filter, command.gesture);
  return {};
}

// What the arguments say; of one trace what is selected, or shown, against all of it.
Status flame_compare(Session& session, const Command& command) {
  WEFT_TRY_ASSIGN(const OpenTrace* trace, current(session));
  const int64_t count = std::ssize(session.traces);
  Json options = {{"view", "difference"}};
  for (const auto& [side, otherwise] :
       {std::pair("a", int64_t{0}), {"b", std::min<int64_t>(1, count - 1)}}) {
    WEFT_TRY_ASSIGN(const int64_t index, integer_arg(command.args, side, 0, count - 1, otherwise));
    options[side] = std::to_string(index);
  }
  const bool is_one = options["a"] == options["b"];
  const char* const rest = !is_one ? "trace" : trace->selection ? "selection" : "window";
  for (const auto& [side, otherwise] : {std::pair("a_of", "trace"), {"b_of", rest}}) {
    WEFT_TRY_ASSIGN(options[side], choice_arg(command.args, side, kFlameParts, otherwise));
  }
  WEFT_TRY_ASSIGN(options["by"],
                  choice_arg(command.args, "by", kFlameMeasures, is_one ? "share" : "time"));
  WEFT_TRY_ASSIGN(PanelInstance * panel, linked_panel(session, *find_panel_kind("flame")));
  panel->options.update(options);
  panel->options.erase("zoom");
  return {};
}

Status panel_set(Session& session, const Command& command) {
  WEFT_TRY_ASSIGN(PanelInstance * panel, panel_arg(session, command.args));
  WEFT_TRY_ASSIGN(const std::string option, text_arg(command.args, "option"));
  const auto value = command.args.find("value");
  const bool is_removed = value == command.args.end() || value->is_null();
  if (const PanelKind* kind = find_panel_kind(panel->kind); kind && !is_removed) {
    WEFT_TRY(check_option(*kind, option, *value));
    WEFT_TRY(check_option_in(session, panel->id, *kind, option, *value));
  }
  set_option_in(session, *panel, option, is_removed ? Json() : *value);
  check_sort(session, panel->id, option, panel->options.value(option, Json()));
  return {};
}

template <const TimelineOption& kOption>
Status show_in_timelines(Session& session, const Command& command) {
  WEFT_TRY(clear_of(needs_timeline(session)));
  WEFT_TRY_ASSIGN(const bool shown,
                  flag_arg(command.args, "shown", !timelines_have(session, kOption)));
  for (const PanelInstance& panel : session.desk.layout.panels()) {
    if (panel.kind == "gantt") session.desk.layout.find(panel.id)->options[kOption.name] = shown;
  }
  return {};
}

Status density_scale(Session& session, const Command& command) {
  WEFT_TRY_ASSIGN(const std::string scale, choice_arg(command.args, "scale", kDensityScales));
  if (command.args.contains("panel")) {
    WEFT_TRY_ASSIGN(PanelInstance * panel, panel_arg(session, command.args));
    if (!has_bars(panel->kind)) return fail(fmt::format("'{}' has no bars", panel->id));
    panel->options["scale"] = scale;
    return {};
  }
  WEFT_TRY(clear_of(needs_bars(session)));
  for (const PanelInstance& panel : session.desk.layout.panels()) {
    if (has_bars(panel.kind)) session.desk.layout.find(panel.id)->options["scale"] = scale;
  }
  return {};
}

// Without the kinds of panels that this version does not have, and without options that belong to
// traces.
Result<PanelLayout> known_layout(const Json& json) {
  WEFT_TRY_ASSIGN(PanelLayout layout, PanelLayout::from_json(json));
  std::vector<std::string> unknown;
  for (const PanelInstance& panel : layout.panels()) {
    drop_options_of_traces(*layout.find(panel.id));
    if (!find_panel_kind(panel.kind)) unknown.push_back(panel.id);
  }
  for (const std::string& id : unknown) (void)layout.close(id);
  return layout;
}

Status layout_save(Session& session, const Command& command) {
  WEFT_TRY_ASSIGN(const std::string name, text_arg(command.args, "name"));
  if (name.empty()) return fail("a layout needs a name");
  if (session.desk.saved_layouts.size() >= kMostNamedLayouts &&
      !session.desk.saved_layouts.contains(name)) {
    return fail(fmt::format("there are {} layouts already", kMostNamedLayouts));
  }
  if (command.args.contains("layout")) {
    const Json& layout = command.args["layout"];
    WEFT_TRY_ASSIGN(PanelLayout panels, known_layout(layout));
    session.desk.saved_layouts[name] = {std::move(panels), layout.value("lanes", Json())};
    return {};
  }
  const OpenTrace* trace = session.trace();
  Json lanes = trace ? json_from_named_lanes(*trace) : Json();
  const char* what = lanes.is_null() ? "" : ", with the order of the lanes";
  session.desk.saved_layouts[name] = {session.desk.layout, std::move(lanes)};
  session.messages.say(fmt::format("The layout is kept as '{}'{}", name, what));
  return {};
}

Result<std::string> saved_layout_arg(const Session& session, const Json& args) {
  WEFT_TRY_ASSIGN(std::string name, text_arg(args, "name"));
  const auto& kept = session.desk.saved_layouts;
  if (kept.contains(name)) return name;
  if (kept.empty()) return fail("no layout is kept under a name yet: layout.save keeps one");
  return fail(fmt::format("no layout '{}' is kept, but {}", printable(name),
                          fmt::join(kept | std::views::keys, ", ")));
}

Status layout_load(Session& session, const Command& command) {
  if (command.args.contains("layout")) {
    WEFT_TRY_ASSIGN(session.desk.layout, known_layout(command.args["layout"]));
    return {};
  }
  WEFT_TRY_ASSIGN(const std::string name, saved_layout_arg(session, command.args));
  const KeptLayout& kept = session.desk.saved_layouts[name];
  session.desk.layout = kept.panels;
  OpenTrace* trace = session.trace();
  if (trace && !kept.lanes.is_null())
    trace->show_lanes(lanes_from_names(kept.lanes, *trace), command.gesture);
  return {};
}

Status layout_delete(Session& session, const Command& command) {
  WEFT_TRY_ASSIGN(const std::string name, saved_layout_arg(session, command.args));
  session.desk.saved_layouts.erase(name);
  return {};
}

Status layout_restore(Session& session, const Command& command) {
  WEFT_TRY_ASSIGN(const std::string of, text_arg(command.args, "of"));
  const auto json = command.args.find("layout");
  if (json == command.args.end()) return fail("'layout' is missing");
  WEFT_TRY_ASSIGN(PanelLayout layout, known_layout(*json));
  if (session.desk.own_layouts.size() < kMostNamedLayouts)
    session.desk.own_layouts.insert_or_assign(of, std::move(layout));
  return {};
}

Status layout_reset(Session& session, const Command&) {
  arrange_as_at_first(session);
  return {};
}

constexpr CommandRow kPanelCommands[] = {
    {"panel.open",
     "Open a panel",
     "",
     {{"panel", "a kind, as gantt"}, {"options", "those to set, as in panel.set", "none"}},
     panel_open},
    {"panel.close", "Close a panel", "Ctrl+W", {kPanel}, panel_close, needs_panel},
    {"panel.duplicate",
     "Duplicate a panel",
     "",
     {kPanel, one_of("side", kSides, "bottom")},
     panel_duplicate,
     needs_panel},
    {"panel.move",
     "Move a panel",
     "",
     {one_of("side", kSides), kPanel, {"beside", "id of another", "all of them"}},
     panel_move,
     needs_panel},
    {"panel.resize",
     "Resize a panel",
     "",
     {{"panel"},
      {"beside", "ids, whose parts of the window meet"},
      {"share", "of both"},
      instead({"px", "of the first"}),
      instead({"sizes", "px by panel, of all parts of a row or column"})},
     panel_resize,
     needs_panel},
    {"panel.focus", "Show a panel in front", "", {kPanel}, panel_focus, needs_panel},
    {"panel.next", "Next panel", "F6", {}, panel_step<true>, needs_panel},
    {"panel.previous", "Previous panel", "Shift+F6", {}, panel_step<false>, needs_panel},
    {"panel.pin",
     "Pin the view of a panel, or link it again",
     "",
     {kPanel,
      flag("pinned", "toggle"),
      one_of("to", kPinnedTo, "view"),
      kIndex,
      {"view", "as session.json has it", "as it is"}},
     panel_pin,
     needs_trace},
    {"panel.show_in",
     "Show the range of a panel in another",
     "",
     {{"kind", "of the other, as events"}, kPanel},
     panel_show_in,
     needs_trace},
    {"find.list", "Hits of the filter as a table", "Ctrl+Shift+F", {}, find_list, needs_filter},
    {"flame.compare",
     "Difference of two flame graphs",
     "",
     {{"a"},
      {"b", "traces, from 0", "the first two"},
      one_of("a_of", kFlameParts, "trace"),
      one_of("b_of", kFlameParts, "trace, or of one trace the selection or the window"),
      one_of("by", kFlameMeasures, "time, or of one trace share")},
     flame_compare,
     needs_trace},
    {"panel.set",
     "Set an option of a panel",
     "",
     {{"option", "its name"}, {"value", "null removes it"}, kPanel},
     panel_set,
     needs_panel},
    {"density.scale",
     "Scale of the overview and the event density",
     "",
     {one_of("scale", kDensityScales), {"panel", "id", "all of them"}},
     density_scale,
     needs_bars},
    {"grid.show",
     "Lines at the ruler's ticks",
     "G",
     {kShown},
     show_in_timelines<kGridLines>,
     needs_timeline},
    {"links.all",
     "Links as arrows also where they are many",
     "Shift+L",
     {kShown},
     show_in_timelines<kAllLinks>,
     needs_timeline},
    {"layout.save",
     "Keep the layout under a name",
     "",
     {{"name", "text"}, {"layout", "as layouts.json has it", "the present one, with the lanes"}},
     layout_save},
    {"layout.load",
     "Use a layout that was kept",
     "",
     {{"name", "text"}, instead({"layout", "as layouts.json has it"})},
     layout_load,
     needs_kept_layouts},
    {"layout.delete",
     "Forget a layout that was kept",
     "",
     {{"name", "text"}},
     layout_delete,
     needs_kept_layouts},
    {"layout.restore",
     "Have a layout for traces of a kind",
     "",
     {{"of", "the panels that are opened for them"}, {"layout", "as session.json has it"}},
     layout_restore},
    {"layout.reset", "Layout as at first", "", {}, layout_reset},
};

}  // namespace

std::span<const CommandRow> panel_commands() { return kPanelCommands; }

}  // namespace weft::app
