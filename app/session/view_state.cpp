#include "app/session/view_state.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "app/session/element_args.h"
#include "app/session/panel_options.h"
#include "app/view/arrangement_json.h"
#include "core/query/filter/filter_expression.h"

namespace weft::app {
namespace {

std::optional<TimeRange> range_from_json(const Json& json) {
  if (!json.is_array() || json.size() != 2) return std::nullopt;
  if (!json[0].is_number_integer() || !json[1].is_number_integer()) return std::nullopt;
  const TimeRange range = {{json[0].get<int64_t>()}, {json[1].get<int64_t>()}};
  return range.is_empty() ? std::nullopt : std::optional(range);
}

std::optional<TimeRange> range(const Json& json, const char* key) {
  const auto it = json.find(key);
  return it == json.end() ? std::nullopt : range_from_json(*it);
}

ViewFilter filter_from_json(const Json& json) {
  ViewFilter filter;
  const Json text = json.is_object() ? json.value("text", Json()) : Json();
  if (text.is_string() && query::parse_filter(text.get_ref<const std::string&>())) {
    filter.text = text.get<std::string>();
  }
  const Json mode = json.is_object() ? json.value("mode", Json()) : Json();
  if (mode.is_string()) {
    filter.mode = filter_mode_from_name(mode.get_ref<const std::string&>()).value_or(filter.mode);
  }
  return filter;
}

Json json_from(TimeRange range) { return {range.begin.ticks, range.end.ticks}; }

// All of a view but its window.
void add_rest_of_view(const View& view, Json& state) {
  if (view.scroll_px > 0) state["scroll_px"] = view.scroll_px;
  if (view.offset != Duration()) state["offset"] = view.offset.ticks;
  if (view.rate != ClockRate()) state["rate"] = {view.rate.line, view.rate.own};
  if (view.filter.is_set()) {
    state["filter"] = {{"text", view.filter.text}, {"mode", name_of(view.filter.mode)}};
  }
  for (const TimeRange& run : view.open_runs) state["open_runs"].push_back(json_from(run));
}

std::optional<ClockRate> rate_from_json(const Json& json) {
  const bool is_pair = json.is_array() && json.size() == 2 && json[0].is_number_integer() &&
                       json[1].is_number_integer();
  if (!is_pair) return std::nullopt;
  const ClockRate rate = {json[0].get<int64_t>(), json[1].get<int64_t>()};
  return rate.is_valid() ? std::optional(rate) : std::nullopt;
}

// Reads what add_rest_of_view() writes, except the scroll position.
void take_rest_of_view(const Json& state, View& view) {
  if (const auto offset = state.find("offset");
      offset != state.end() && offset->is_number_integer()) {
    view.offset = {offset->get<int64_t>()};
  }
  if (const auto rate = state.find("rate"); rate != state.end()) {
    view.rate = rate_from_json(*rate).value_or(ClockRate());
  }
  if (const auto filter = state.find("filter"); filter != state.end()) {
    view.filter = filter_from_json(*filter);
  }
  const auto runs = state.find("open_runs");
  if (runs == state.end() || !runs->is_array()) return;
  view.open_runs.clear();
  for (const Json& run : *runs) {
    const auto sent = range_from_json(run);
    if (sent && view.open_runs.size() < kMostOpenRuns) view.open_runs.push_back(*sent);
  }
}

double scroll_px(const Json& state) {
  return std::clamp(number_in(state, "scroll_px").value_or(0), 0.0, 1e9);
}

size_t lane_count(const OpenTrace& trace) {
  return trace.trace() ? trace.trace()->dictionary().lanes.size() : 0;
}

void apply_bookmarks(OpenTrace& trace, const Json& state) {
  const auto bookmarks = state.find("bookmarks");
  if (bookmarks == state.end() || !bookmarks->is_object()) return;
  for (size_t i = 0; i < trace.bookmarks.size(); ++i) {
    const auto kept = bookmarks->find(std::to_string(i));
    if (kept == bookmarks->end() || !kept->is_object()) continue;
    const auto window = range(*kept, "window");
    if (!window) continue;
    trace.bookmarks[i] = View{TimeWindow::from_range(*window), scroll_px(*kept), {}};
  }
}

LaneView lanes_from(const Json& state, size_t lane_count) {
  LaneView lanes;
  if (const auto kept = state.find("arrangement"); kept != state.end()) {
    lanes.arrangement = arrangement_from_json(*kept, lane_count);
  }
  const auto folded = state.find("folded");
  if (folded == state.end() || !folded->is_array()) return lanes;
  for (const Json& number : *folded) {
    if (const auto lane = lane_from_json(number, lane_count, lanes.arrangement.groups))
      lanes.collapsed.insert(*lane);
  }
  return lanes;
}

// Writes what lanes_from() reads.
void add_lanes(const LaneView& lanes, Json& state) {
  if (Json arrangement = json_from_arrangement(lanes.arrangement); !arrangement.empty()) {
    state["arrangement"] = std::move(arrangement);
  }
  std::vector<LaneId> folded(lanes.collapsed.begin(), lanes.collapsed.end());
  std::ranges::sort(folded);  // the same lanes, the same text
  for (const LaneId lane : folded) state["folded"].push_back(lane.value());
}

// The paths of all lanes; where several have one, the later ones have their number behind it.
std::vector<std::string> lane_names(const OpenTrace& trace) {
  const trace::Dictionary& dictionary = trace.trace()->dictionary();
  std::vector<std::string> names;
  std::unordered_map<std::string, size_t> seen;
  for (uint32_t i = 0; i < dictionary.lanes.size(); ++i) {
    std::string path = dictionary.path_text(LaneId(i));
    const size_t count = ++seen[path];
    names.push_back(count == 1 ? std::move(path) : fmt::format("{}#{}", path, count));
  }
  return names;
}

template <class Rename>
void rename_lanes(Json& object, const char* key, const Rename& rename) {
  const auto list = object.find(key);
  if (list == object.end() || !list->is_array()) return;
  for (Json& lane : *list) lane = rename(lane);
}

// All lanes that add_lanes() named.
template <class Rename>
void rename_all_lanes(Json& state, const Rename& rename) {
  rename_lanes(state, "folded", rename);
  const auto arrangement = state.find("arrangement");
  if (arrangement == state.end() || !arrangement->is_object()) return;
  rename_lanes(*arrangement, "hidden", rename);
  rename_lanes(*arrangement, "pinned", rename);
  rename_lanes(*arrangement, "moves", [&](Json pair) {
    if (!pair.is_array()) return pair;
    for (Json& lane : pair) lane = rename(lane);
    return pair;
  });
  rename_lanes(*arrangement, "groups", [&](Json group) {
    if (group.is_object()) rename_lanes(group, "lanes", rename);
    return group;
  });
}

void apply_selected(OpenTrace& trace, const Json& state) {
  if (const auto element = state.find("element"); element != state.end() && element->is_object()) {
    if (const auto ref = element_arg(*element, trace)) trace.select_element(*ref);
  }
  const auto lanes = state.find("selected_lanes");
  if (lanes == state.end() || !lanes->is_array()) return;
  for (const Json& lane : *lanes) {
    if (lane.is_number_unsigned() && lane.get<uint64_t>() < lane_count(trace)) {
      trace.selected_lanes.push_back(LaneId(lane.get<uint32_t>()));
    }
  }
}

// As far as they are what they should be: objects by panel and option.
void apply_panel_options(OpenTrace& trace, const Json& state) {
  const Json* panels = find_object(state, "panel_options");
  if (!panels) return;
  for (const auto& [panel, options] : panels->items()) {
    if (!options.is_object()) continue;
    for (const auto& [option, value] : options.items()) {
      if (is_of_trace(option) && value.is_object()) trace.panel_options[panel][option] = value;
    }
  }
}

void apply_cut(OpenTrace& trace, const Json& state) {
  const auto least = state.find("cut_from"), where = state.find("cut_where");
  if (least == state.end() || !least->is_number_integer() || least->get<int64_t>() <= 0) return;
  CutRule rule{Duration{least->get<int64_t>()}};
  if (where != state.end() && where->is_string() &&
      query::parse_filter(where->get_ref<const std::string&>()))
    rule.where = where->get<std::string>();
  trace.history().restore_cut(std::move(rule));
}

}  // namespace

Json json_from_view_state(const OpenTrace& trace) {
  Json state = {{"lanes", lane_count(trace)}};
  if (trace.history().views().follow != Follow::kWhole)
    state["window"] = json_from(trace.view().window.range());
  add_rest_of_view(trace.view(), state);
  if (const auto& rule = trace.cut_rule()) {
    state["cut_from"] = rule->least.ticks;
    if (!rule->where.empty()) state["cut_where"] = rule->where;
  }
  if (trace.selection) state["selection"] = json_from(*trace.selection);
  if (trace.element()) state["element"] = args_from_element(*trace.element());
  for (const LaneId lane : trace.selected_lanes) state["selected_lanes"].push_back(lane.value());
  for (size_t i = 0; i < trace.bookmarks.size(); ++i) {
    if (!trace.bookmarks[i]) continue;
    state["bookmarks"][std::to_string(i)] = {
        {"window", json_from(trace.bookmarks[i]->window.range())},
        {"scroll_px", trace.bookmarks[i]->scroll_px}};
  }
  add_lanes(*trace.lanes(), state);
  if (!trace.panel_options.empty()) state["panel_options"] = trace.panel_options;
  for (const auto& path : trace.names().paths()) state["symbols"].push_back(path.string());
  return state;
}

void keep_unknown(const Json& before, Json& state) {
  // Members known here: if they are not set now, they are absent, but not unknown.
  constexpr std::string_view kKnown[] = {
      "lanes",     "window",      "scroll_px", "offset",        "rate",    "filter",
      "open_runs", "cut_from",    "cut_where", "selection",     "element", "selected_lanes",
      "bookmarks", "arrangement", "folded",    "panel_options", "symbols"};
  if (!before.is_object()) return;
  size_t left = kMostUnknownBytes;
  for (const auto& [key, value] : before.items()) {
    if (std::ranges::find(kKnown, key) != std::end(kKnown)) continue;
    const size_t size = key.size() + json_line(value).size();
    if (size > left) continue;
    left -= size;
    state[key] = value;
  }
}

Json json_from_named_lanes(const OpenTrace& trace) {
  Json state = Json::object();
  if (!trace.trace()) return nullptr;
  add_lanes(*trace.lanes(), state);
  if (state.empty()) return nullptr;
  const std::vector<std::string> names = lane_names(trace);
  rename_all_lanes(state, [&](const Json& lane) {  // groups keep their numbers
    const auto number = lane.get<uint32_t>();
    return number < names.size() ? Json(names[number]) : lane;
  });
  return state;
}

LaneView lanes_from_names(const Json& json, const OpenTrace& trace) {
  if (!json.is_object() || !trace.trace()) return {};
  std::unordered_map<std::string, uint32_t> numbers;
  uint32_t next = 0;
  for (const std::string& name : lane_names(trace)) numbers.emplace(name, next++);
  Json state = json;
  rename_all_lanes(state, [&](const Json& lane) {
    if (!lane.is_string()) return lane;
    const auto number = numbers.find(lane.get<std::string>());
    return number == numbers.end() ? Json() : Json(number->second);
  });
  return lanes_from(state, lane_count(trace));
}

std::vector<std::filesystem::path> symbol_paths_of(const Json& state) {
  std::vector<std::filesystem::path> paths;
  const auto symbols = state.is_object() ? state.find("symbols") : state.end();
  if (symbols == state.end() || !symbols->is_array()) return paths;
  for (const Json& path : *symbols) {
    if (path.is_string()) paths.emplace_back(path.get<std::string>());
  }
  return paths;
}

void apply_view_state(OpenTrace& trace, const Json& state) {
  if (!state.is_object() || !trace.trace()) return;
  apply_cut(trace, state);
  if (const auto selection = range(state, "selection")) trace.selection = *selection;
  const bool has_same_lanes = number_in(state, "lanes") == static_cast<double>(lane_count(trace));
  apply_bookmarks(trace, state);
  apply_panel_options(trace, state);
  View view = trace.view();
  take_rest_of_view(state, view);
  if (has_same_lanes) {
    apply_selected(trace, state);
    view.scroll_px = scroll_px(state);
    trace.history().restore_lanes(lanes_from(state, lane_count(trace)));
  }
  const auto window = range(state, "window");
  if (window && trace.is_coupled()) {
    // Others may not be there yet: how far views go is not known.
    view.window = TimeWindow::from_range(*window);
  } else if (window && window->begin < trace.reach().end && window->end > trace.reach().begin) {
    view.window = trace.clamped(TimeWindow::from_range(*window));
  }  // else it was recorded anew, at another time
  trace.navigate(view, 0);
}

Json json_from_own_view(const ViewHistory& history) {
  Json json = {{"window", json_from(history.view.window.range())}};
  add_rest_of_view(history.view, json);
  return json;
}

Result<ViewHistory> own_view_from_json(const Json& json) {
  const auto window = json.is_object() ? range(json, "window") : std::nullopt;
  if (!window) return fail("a view has a window");
  ViewHistory history;
  history.follow = Follow::kNothing;
  history.is_apart = true;
  history.view.window = TimeWindow::from_range(*window);
  history.view.scroll_px = scroll_px(json);
  take_rest_of_view(json, history.view);
  return history;
}

Json json_from_group(const ViewGroup& group) {
  Json json = json_from_own_view(group.history);
  json["trace"] = group.trace.string();
  for (const PanelInstance& panel : group.closed) {
    json["closed"].push_back(PanelLayout::json_from(panel));
  }
  return json;
}

Result<ViewGroup> group_from_json(const Json& json) {
  ViewGroup group;
  WEFT_TRY_ASSIGN(group.history, own_view_from_json(json));
  if (!json.value("trace", Json()).is_string())
    return fail("a group of views has the path of a trace");
  group.trace = json["trace"].get<std::string>();
  const Json closed = json.value("closed", Json::array());
  if (!closed.is_array() || closed.size() > PanelLayout::kMaxPanels) {
    return fail(fmt::format("'closed' must be a list of at most {}", PanelLayout::kMaxPanels));
  }
  for (const Json& panel : closed) {
    WEFT_TRY_ASSIGN(group.closed.emplace_back(), PanelLayout::panel_from(panel));
    drop_options_of_traces(group.closed.back());
  }
  return group;
}

}  // namespace weft::app
