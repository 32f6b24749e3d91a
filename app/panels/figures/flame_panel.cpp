#include "app/panels/figures/flame_panel.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <vector>

#include "app/panels/figures/flame_differences.h"
#include "app/panels/filter_sign.h"
#include "app/panels/tables/table_view.h"
#include "app/panels/timeline/time_axis.h"
#include "app/panels/toolbar.h"
#include "app/panels/wrapped_text.h"
#include "app/session/option_choices.h"
#include "core/base/text.h"
#include "core/trace/type_names.h"

namespace weft::app {
namespace {

constexpr float kRowPx = 19;
constexpr float kLeastPx = 1;  // narrower boxes are drawn as one, without what is below them

std::string name_of(const Flame& flame, uint32_t node) {
  if (flame.difference)
    return std::string(query::name_of(flame.difference->nodes[node],
                                      flame.key.before->trace->dictionary(),
                                      flame.key.trace->dictionary()));
  const EventTypeId type = flame[node].type;
  return std::string(type.is_none() ? "all" : flame.key.trace->dictionary().type(type).name);
}

// The groups of states that share their name, as text to follow it.
std::map<uint32_t, std::string> groups_of_namesakes(const trace::Dictionary& dictionary) {
  std::vector<uint32_t> ids;
  std::vector<const trace::EventType*> states;
  for (uint32_t i = 0; i < dictionary.types.size(); ++i) {
    if (dictionary.types[i].category != trace::Category::kState) continue;
    ids.push_back(i);
    states.push_back(&dictionary.types[i]);
  }
  const std::vector<std::string> names = trace::distinct_names(states);
  std::map<uint32_t, std::string> apart;
  for (size_t i = 0; i < ids.size(); ++i) {
    const size_t own = states[i]->name.size();
    if (names[i].size() > own) apart[ids[i]] = names[i].substr(own);
  }
  return apart;
}

// The name, with the group of the type where others have that name, too.
std::string full_name_of(const Flame& flame, uint32_t node) {
  std::string name = name_of(flame, node);
  const EventTypeId type = flame[node].type;
  const auto group = type.is_none() ? flame.apart.end() : flame.apart.find(type.value());
  return group == flame.apart.end() ? name : name + group->second;
}

// The callees of a node, without those that take no time; the largest first.
std::span<const uint32_t> called_by(const Flame& flame, uint32_t node) {
  std::span<const uint32_t> children = flame.tree->children(node);
  while (!children.empty() && flame[children.back()].total <= 0)
    children = children.first(children.size() - 1);
  return children;
}

double percent_of(const Flame& flame, int64_t part) {
  const auto all = static_cast<double>(flame[0].total);
  return all > 0 ? 100 * static_cast<double>(part) / all : 0;
}

// The title of a box. That of all says how much it is, and how much of it passes the filter.
std::string title_of(const PanelInput& input, const Flame& flame, uint32_t node) {
  if (node != 0 || !flame[0].type.is_none()) return full_name_of(flame, node);
  const std::string all = "all  ·  " + length_label({flame[0].total}, *input.trace);
  if (flame.key.view != "graph" || !flame.key.marked) return all;
  return fmt::format("{}  ·  {:.2f} % passes the filter", all, percent_of(flame, flame[0].marked));
}

// Full names from the root inwards; without the root.
std::vector<std::string> path_of(const Flame& flame, uint32_t node) {
  std::vector<std::string> path;
  for (; node != 0; node = flame[node].parent) path.push_back(full_name_of(flame, node));
  std::ranges::reverse(path);
  return path;
}

// The node at the end of the path, as far as that exists. A name without its group means the
// largest node that has it.
uint32_t node_of(const Flame& flame, const Json& options) {
  uint32_t node = 0;
  const auto path = options.find("zoom");
  if (path == options.end() || !path->is_array()) return node;
  for (const Json& name : *path) {
    const auto children = flame.tree->children(node);
    if (!name.is_string()) break;
    const auto& wanted = name.get_ref<const std::string&>();
    auto child = std::ranges::find_if(
        children, [&](uint32_t of) { return full_name_of(flame, of) == wanted; });
    if (child == children.end())
      child =
          std::ranges::find_if(children, [&](uint32_t of) { return name_of(flame, of) == wanted; });
    if (child == children.end()) break;
    node = *child;
  }
  return node;
}

// Shows a part in full width; the root: everything.
Command zoom_command(const PanelInput& input, const Flame& flame, uint32_t node) {
  const std::vector<std::string> path = path_of(flame, node);
  return set_option(input, "zoom", path.empty() ? Json() : Json(path));
}

// "main;read;poll"
std::string path_text(const Flame& flame, uint32_t node) {
  std::string text;
  for (const std::string& name : path_of(flame, node)) text += (text.empty() ? "" : ";") + name;
  return text;
}

// A line for each node, below that of its caller.
Sheet sheet_of(std::shared_ptr<const Flame> flame) {
  if (flame->difference)
    return sheet_of_changes(
        flame->difference, [flame](uint32_t node) { return name_of(*flame, node); },
        [flame](uint32_t node) { return path_text(*flame, node); });
  enum Column : size_t { kPath, kName, kDepth, kCount, kTotal, kSelf, kMin, kMax };
  const uint64_t count = flame->tree->nodes().size() - 1;
  const auto cell = [flame = std::move(flame)](uint64_t row, size_t column) -> Cell {
    const auto at = static_cast<uint32_t>(row + 1);  // the root is not a call
    const query::FlameNode& node = (*flame)[at];
    switch (column) {
      case kPath:
        return path_text(*flame, at);
      case kName:
        return name_of(*flame, at);
      case kDepth:
        return uint64_t{node.depth};
      case kCount:
        return node.count;
      case kTotal:
        return node.total;
      case kSelf:
        return node.self;
      case kMin:
        return node.count > 0 ? Cell(node.min) : Cell();
      default:
        return node.max;
    }
  };
  return sheet_of_cells({"path", "name", "depth", "count", "total", "self", "min", "max"}, count,
                        cell);
}

void show_figure(const PanelInput& input, std::string_view name, const std::string& value) {
  show_text(name, input.theme.text_dim);
  ImGui::SameLine(80 * input.scale);
  show_text(value);
}

void show_tooltip(const PanelInput& input, const Flame& flame, uint32_t at) {
  const query::FlameNode& node = flame[at];
  const auto length = [&](double ticks) {
    return length_label({static_cast<int64_t>(ticks)}, *input.trace);
  };
  const auto total = static_cast<double>(node.total);
  ImGui::BeginTooltip();
  ImGui::PushTextWrapPos(420 * input.scale);
  ImGui::PushFont(input.fonts.bold);
  show_text(full_name_of(flame, at));
  ImGui::PopFont();
  show_figure(input, "total",
              fmt::format("{}  ·  {:.2f} %", length(total), percent_of(flame, node.total)));
  if (at != 0) {
    show_figure(input, "self", length(static_cast<double>(node.self)));
    show_figure(input, "count", format_count(node.count));
    if (node.count > 0) {
      show_figure(input, "mean", length(total / static_cast<double>(node.count)));
      show_figure(
          input, "min, max",
          length(static_cast<double>(node.min)) + ", " + length(static_cast<double>(node.max)));
    }
  }
  ImGui::PopTextWrapPos();
  ImGui::EndTooltip();
}

// The name of the selected state; empty: none is selected.
std::string selected_state(const PanelInput& input) {
  const auto& element = input.trace->element();
  if (!element || element->kind != store::RowKind::kState || element->type.is_none()) return {};
  return std::string(input.trace->trace()->dictionary().type(element->type).name);
}

// Names of types, those with the most time of their own first.
std::vector<std::string> heaviest_types(const Flame& flame) {
  constexpr size_t kMost = 300;  // in a list
  std::unordered_map<std::string, int64_t> own;
  for (const query::FlameNode& node : flame.tree->nodes()) {
    if (!node.type.is_none())
      own[std::string(flame.key.trace->dictionary().type(node.type).name)] += node.self;
  }
  std::vector<std::pair<int64_t, std::string>> sorted;
  for (const auto& [name, ticks] : own) sorted.emplace_back(-ticks, name);
  std::ranges::sort(sorted);
  if (sorted.size() > kMost) sorted.resize(kMost);
  std::vector<std::string> names;
  for (auto& [ticks, name] : sorted) names.push_back(std::move(name));
  return names;
}

FlameTreePtr shared(query::FlameTree tree) {
  return std::make_shared<const query::FlameTree>(std::move(tree));
}

}  // namespace

bool FlameMaker::read(std::optional<Flame>& kept, const FlameKey& key,
                      const std::stop_token& stop) const {
  if (kept && static_cast<const Scope&>(kept->key) == key && kept->key.marked == key.marked &&
      kept->key.kind == key.kind)
    return true;
  query::Selection selection = selection_of(key);
  if (key.kind) selection.narrow(*key.trace, query::on_lanes_of(*key.kind, *key.trace));
  query::Selection marks = query::Selection::all(*key.trace);
  if (key.marked) marks.narrow(*key.trace, key.marked);
  auto tree =
      query::flame_tree(*key.trace, selection, {*pool_, stop}, key.marked ? &marks : nullptr);
  if (tree) kept = Flame{key, shared(std::move(*tree))};
  return tree.has_value();
}

std::optional<Flame> FlameMaker::make(const FlameKey& key, const std::stop_token& stop) {
  if (!key.before) before_.reset();
  if (!read(graph_, key, stop)) return std::nullopt;
  if (key.before) {
    FlameKey before;
    static_cast<Scope&>(before) = *key.before;
    before.kind = key.kind;
    if (!read(before_, before, stop)) return std::nullopt;
    return compared(key, stop);
  }
  Flame flame = turned(key);
  flame.apart = groups_of_namesakes(key.trace->dictionary());
  if (flame.callers) {
    Flame callers = *flame.callers;
    callers.apart = flame.apart;
    flame.callers = std::make_shared<const Flame>(std::move(callers));
  }
  flame.size_bytes = graph_->tree->size_bytes() +
                     (flame.tree != graph_->tree ? flame.tree->size_bytes() : 0) +
                     (flame.callers ? flame.callers->tree->size_bytes() : 0);
  return flame;
}

std::optional<Flame> FlameMaker::compared(const FlameKey& key, const std::stop_token& stop) const {
  Flame flame{key, {}};
  auto made = query::flame_difference(*before_->tree, before_->key.trace->dictionary(),
                                      *graph_->tree, graph_->key.trace->dictionary(), stop);
  if (stop.stop_requested()) return std::nullopt;
  if (!made) {
    flame.problem = made.error().message;
    return flame;
  }
  const auto difference = std::make_shared<const query::FlameDifference>(std::move(*made));
  flame.tree = {difference, &difference->tree};
  flame.size_bytes = before_->tree->size_bytes() + graph_->tree->size_bytes() +
                     flame.tree->size_bytes() +
                     difference->nodes.capacity() * sizeof(query::Change);
  flame.difference = difference;
  flame.apart = groups_of_namesakes(key.trace->dictionary());
  return flame;
}

Flame FlameMaker::turned(const FlameKey& key) const {
  if (key.view == "graph") return {key, graph_->tree};
  std::vector<std::string> types = heaviest_types(*graph_);
  if (key.type.empty() && types.empty()) return {key, graph_->tree};
  FlameKey of_type = key;
  if (of_type.type.empty()) of_type.type = types.front();
  Flame flame = around(of_type);
  flame.types = std::move(types);
  return flame;
}

Flame FlameMaker::around(const FlameKey& key) const {
  const auto& all = key.trace->dictionary().types;
  std::vector<EventTypeId> types;
  for (uint32_t i = 0; i < all.size(); ++i) {
    const bool is_it = all[i].name == key.type && all[i].category == trace::Category::kState;
    if (is_it) types.emplace_back(i);
  }
  if (types.empty()) {
    Flame flame = {key, shared({})};
    flame.problem = fmt::format("The trace holds no states “{}”", key.type);
    return flame;
  }
  if (key.view == "callers") return {key, shared(query::callers_of(*graph_->tree, types))};
  Flame flame = {key, shared(query::callees_of(*graph_->tree, types))};
  if (key.view == "sandwich") {
    flame.callers =
        std::make_shared<const Flame>(Flame{key, shared(query::callers_of(*graph_->tree, types))});
  }
  return flame;
}

FlamePanel::FlamePanel(const PanelServices& services)
    : chart_(services),
      flame_(
          [maker = std::make_shared<FlameMaker>(*services.pool)](
              const FlameKey& key, const std::stop_token& stop) { return maker->make(key, stop); },
          services.wake) {}

void FlamePanel::draw(const PanelInput& input, PanelOutput& output) {
  if (!input.trace || !input.trace->trace()) return;
  chart_.hide();
  menu_.draw(input, output);
  FlameKey key;
  key.type = text_option(input, "type", "");
  Area area;
  {
    Toolbar bar(input, output);
    key.view = bar.choose("view", kFlameViews);
    if (key.view == "difference") {
      const ComparedParts parts = choose_parts(input, bar, output);
      if (!parts.a || !parts.b) return draw_notice(input, bar.below(), parts.problem);
      static_cast<Scope&>(key) = *parts.b;
      key.before = parts.a;
      key.kind = choose_kind(bar, key.trace);
      by_share_ = parts.by_share;
      return draw_stacks(input, bar.below(), std::move(key), output);
    }
    // A type is looked at on all lanes.
    if (key.view == "graph") key.kind = choose_kind(bar, input.trace->trace());
    static_cast<Scope&>(key) = bar.choose_scope();
    const bool dims = input.filter.dims();
    const aggregate::FilterPtr filter = dims ? input.filter.filter() : nullptr;
    if (filter) key.marked = filter->formula();
    output.is_stale |= dims && !filter;
    if (key.view != "chart" && !dims) key.only = bar.choose_filter();
    if (key.view != "graph" && key.view != "chart") {
      if (key.type.empty()) key.type = selected_state(input);
      choose_type(bar, key);
    }
    area = bar.below();
  }
  if (key.view != "chart") return draw_stacks(input, area, std::move(key), output);
  if (input.model) chart_.draw(input, area, key, has_scope_of_window(input), output);
}

void FlamePanel::choose_type(Toolbar& bar, FlameKey& key) {
  if (types_of_ != key.trace) types_.set({});
  types_of_ = key.trace;
  const Choices choices = types_.choices(key.type);
  if (!choices.empty()) key.type = bar.choose_from_list("type", choices);
}

// Nothing to choose if all states are of one kind.
std::optional<query::StackKind> FlamePanel::choose_kind(Toolbar& bar,
                                                        const store::TracePtr& trace) {
  if (kinds_.trace != trace) kinds_ = {trace, query::stack_kinds(*trace)};
  if (kinds_.kinds.size() < 2) return std::nullopt;
  std::vector<Choice> choices;
  for (const query::StackKind kind : kinds_.kinds)
    choices.push_back(kFlameLanes[static_cast<size_t>(kind)]);
  choices.push_back(kFlameLanes.back());
  const std::string id = bar.choose_from_list("lanes", choices);
  if (id == kFlameLanes.back().id) return std::nullopt;
  const auto at = std::ranges::find(kFlameLanes, std::string_view(id), &Choice::id);
  return static_cast<query::StackKind>(at - kFlameLanes.begin());
}

void FlamePanel::draw_stacks(const PanelInput& input, const Area& area, FlameKey key,
                             PanelOutput& output) {
  if (key.view == "graph" || key.view == "difference") key.type.clear();
  const auto flame = question_.find(flame_, *input.trace, key, is_filter_pending(input));
  table_bytes_ = flame.value ? flame.value->size_bytes : 0;
  output.is_stale |= flame.is_stale;
  if (flame.value && !flame.value->types.empty() && flame.value->key.trace == types_of_)
    output.is_stale |= types_.set(flame.value->types);  // the toolbar is drawn already
  // A graph is not a difference, which may take a while.
  const bool is_of_this = flame.value && question_.is_of_this(flame.value->key.trace) &&
                          flame.value->key.before.has_value() == key.before.has_value();
  if (!is_of_this) return draw_notice(input, area, "Adding up…");
  if (!flame.value->problem.empty()) return draw_notice(input, area, flame.value->problem);
  offer_sheet(input, "", flame.is_stale, [&] { return sheet_of(flame.value); }, output);
  if (flame.value->difference) return draw_difference(input, area, *flame.value, output);
  if (flame.value->tree->children(0).empty()) {
    const std::string& type = flame.value->key.type;
    const std::string what = type.empty() ? "states" : fmt::format("states “{}”", type);
    draw_notice(input, area,
                flame.is_stale ? "Adding up…" : nothing_here(input, what, trace::Category::kState));
    return;
  }
  if (!flame.value->callers) return draw_flame(input, area, *flame.value, false, output);
  Area above = area, below = area;
  above.y1 = below.y0 = std::round((area.y0 + area.y1) / 2);
  draw_flame(input, above, *flame.value->callers, true, output);
  draw_flame(input, below, *flame.value, false, output);
}

void FlamePanel::draw_difference(const PanelInput& input, const Area& area, const Flame& flame,
                                 PanelOutput& output) {
  const float bottom = std::max(area.y0, area.y1 - note_line_height(input));
  const Area above = {area.x0, area.y0, area.x1, bottom};
  if (flame[0].total > 0) {
    draw_flame(input, above, flame, false, output);
  } else {
    draw_notice(input, above, "B holds no states");
  }
  draw_change_line(input, {area.x0, bottom, area.x1, area.y1}, *flame.difference);
}

std::vector<std::vector<FlamePanel::Box>> FlamePanel::boxes_of(const Flame& flame, uint32_t shown,
                                                               const Area& area) {
  std::vector<std::vector<Box>> rows(flame[shown].depth + 1);
  for (uint32_t at = shown;; at = flame[at].parent) {
    rows[flame[at].depth].push_back({at, area.x0, area.x1});
    if (at == 0) break;
  }
  for (size_t i = rows.size() - 1; !rows[i].empty(); ++i) {
    rows.emplace_back();
    for (const Box& box : rows[i]) {
      if (box.rest != 0) continue;
      const query::FlameNode& node = flame[box.node];
      const std::span<const uint32_t> children = called_by(flame, box.node);
      // Callees may overlap, and then take longer than their caller.
      double called = 0;
      for (const uint32_t child : children) called += static_cast<double>(flame[child].total);
      const double px = static_cast<double>(box.x1 - box.x0) /
                        std::max({1.0, static_cast<double>(node.total), called});
      double x = box.x0;
      size_t drawn = 0;
      for (; drawn < children.size(); ++drawn) {  // the largest come first
        const double width = static_cast<double>(flame[children[drawn]].total) * px;
        if (width < kLeastPx) break;
        rows.back().push_back(
            {children[drawn], static_cast<float>(x), static_cast<float>(x + width)});
        x += width;
      }
      const double end = static_cast<double>(box.x0) + called * px;
      if (drawn < children.size() && end - x >= kLeastPx)
        rows.back().push_back({box.node, static_cast<float>(x), static_cast<float>(end),
                               static_cast<uint32_t>(children.size() - drawn)});
    }
  }
  return rows;
}

// Row by row from the top: those above the part that is shown in full width, then what is in it.
void FlamePanel::draw_flame(const PanelInput& input, const Area& area, const Flame& flame,
                            bool is_upwards, PanelOutput& output) {
  // A sandwich is always shown whole: its two halves have no path in common.
  const bool is_sandwich = flame.key.view == "sandwich";
  const uint32_t shown = is_sandwich ? 0 : node_of(flame, input.options);
  // Its two halves share the row of the type, and have no root.
  const size_t first = is_sandwich ? (is_upwards ? 2 : 1) : 0;
  std::vector<std::vector<Box>> rows = boxes_of(flame, shown, area);
  const float height = std::round(kRowPx * input.scale);
  const auto whole = [&] {
    return height * static_cast<float>(std::max(rows.size() - 1, first) - first);
  };
  Area boxes = area;
  if (whole() > area.height()) {
    boxes.x1 -= std::round(ScrollBar::kWidthPx * input.scale);
    rows = boxes_of(flame, shown, boxes);
  }
  const float scroll = scroll_by(input, area, boxes, whole(), is_upwards);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.PushClipRect({area.x0, area.y0}, {area.x1, area.y1}, /*intersect=*/true);
  for (size_t i = first; i < rows.size(); ++i) {
    const float down = std::round(static_cast<float>(i - first) * height - scroll);
    const float y = is_upwards ? area.y1 - height - down : area.y0 + down;
    if (y + height < area.y0 || y > area.y1) continue;
    for (const Box& box : rows[i]) {
      const Area place = {std::round(box.x0), y, std::round(box.x1), y + height};
      box.rest != 0 ? draw_rest(input, place, flame, box, output)
                    : draw_box(input, place, flame, box, i < flame[shown].depth, output);
    }
  }
  list.PopClipRect();
}

// Scrolls by the wheel and by the bar beside the boxes. A graph that grows upwards is scrolled from
// its bottom.
float FlamePanel::scroll_by(const PanelInput& input, const Area& area, const Area& boxes,
                            float whole, bool is_upwards) {
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const bool is_hovered = ImGui::IsWindowHovered() && area.contains(mouse);
  float& scroll = scroll_px_[is_upwards ? 1 : 0];
  ScrollBar& bar = bars_[is_upwards ? 1 : 0];
  const float turned = is_upwards ? -ImGui::GetIO().MouseWheel : ImGui::GetIO().MouseWheel;
  if (is_hovered) scroll -= turned * 3 * std::round(kRowPx * input.scale);
  const float last = std::max(0.0F, whole - area.height());
  scroll = std::clamp(scroll, 0.0F, last);
  const float top = is_upwards ? last - scroll : scroll;
  const auto to = static_cast<float>(bar.draw(
      {{boxes.x1, area.y0, area.x1, area.y1}, input.scale, input.theme.text_dim, is_hovered},
      {top, area.height(), whole}));
  scroll = is_upwards ? last - to : to;
  points_at_boxes_ = is_hovered && boxes.contains(mouse) && !bar.is_held();
  return scroll;
}

void FlamePanel::draw_box(const PanelInput& input, const Area& area, const Flame& flame,
                          const Box& box, bool is_above, PanelOutput& output) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const uint32_t node = box.node;
  const EventTypeId type = flame[node].type;
  const bool has_color = !type.is_none() && input.model;
  const bool is_dim = is_above || (flame.key.marked && flame[node].marked == 0);
  layout::Rgb rgb = has_color ? input.model->palette->color(type) : layout::Palette::kNeutral;
  if (flame.difference && input.model)
    rgb = color_of_change(change_of(*flame.difference, node, by_share_),
                          input.model->palette->theme());
  if (is_dim && input.model) rgb = layout::dimmed(rgb, input.model->palette->theme());
  const float right = std::max(area.x0 + 1, area.x1 - 1);  // a pixel of air between boxes
  list.AddRectFilled({area.x0, area.y0}, {right, area.y1 - 1}, render::color_from_rgb(rgb));
  const float pad = 5 * input.scale;
  if (area.width() > 4 * pad) {
    draw_text(list, {area.x0 + pad, area.y0 + (area.height() - 1 - ImGui::GetFontSize()) / 2},
              is_above ? input.theme.text
              : is_dim ? faded(input.theme.text_dim, 0.7F)
                       : render::color_from_rgb(layout::readable_on(rgb)),
              flame.difference
                  ? full_name_of(flame, node) + percent_text(*flame.difference, node, by_share_)
                  : title_of(input, flame, node),
              area.width() - 2 * pad);
  }
  const auto& element = input.trace->element();
  const bool is_selected = element && !flame.difference && !type.is_none() &&
                           element->kind == store::RowKind::kState && element->type == type;
  if (is_selected) list.AddRect({area.x0, area.y0}, {right, area.y1 - 1}, input.theme.text);
  if (!points_at_boxes_ || !area.contains(ImGui::GetIO().MousePos)) return;
  list.AddRect({area.x0, area.y0}, {right, area.y1 - 1}, input.theme.text);
  if (flame.difference) {
    show_change(input, *flame.difference, node, full_name_of(flame, node));
  } else {
    show_tooltip(input, flame, node);
  }
  const bool is_sandwich = flame.key.view == "sandwich";
  if (ImGui::IsMouseClicked(ImGuiMouseButton_Left) && is_sandwich && node != 0) {
    output.commands.push_back(set_option(input, "type", name_of(flame, node)));
  } else if (ImGui::IsMouseClicked(ImGuiMouseButton_Left)) {
    output.commands.push_back(zoom_command(input, flame, node));
  }
  if (ImGui::IsMouseClicked(ImGuiMouseButton_Right))
    menu_.open({path_of(flame, node), name_of(flame, node), input.options.contains("zoom"),
                !is_sandwich, !flame.difference});
}

// Callees narrower than a pixel each, drawn as one box: pale, since that is no type's colour.
void FlamePanel::draw_rest(const PanelInput& input, const Area& area, const Flame& flame,
                           const Box& box, PanelOutput& output) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float right = std::max(area.x0 + 1, area.x1 - 1);
  list.AddRectFilled({area.x0, area.y0}, {right, area.y1 - 1}, input.theme.border);
  const float pad = 5 * input.scale;
  if (area.width() > 4 * pad)
    draw_text(list, {area.x0 + pad, area.y0 + (area.height() - 1 - ImGui::GetFontSize()) / 2},
              input.theme.text_dim, format_count(box.rest) + " more", area.width() - 2 * pad);
  if (!points_at_boxes_ || !area.contains(ImGui::GetIO().MousePos)) return;
  list.AddRect({area.x0, area.y0}, {right, area.y1 - 1}, input.theme.text);
  const std::span<const uint32_t> rest = called_by(flame, box.node).last(box.rest);
  int64_t total = 0;
  for (const uint32_t child : rest) total += flame[child].total;
  ImGui::BeginTooltip();
  ImGui::PushFont(input.fonts.bold);
  show_text(counted(box.rest, "stack") + ", each narrower than a pixel");
  ImGui::PopFont();
  show_figure(input, "total",
              fmt::format("{}  ·  {:.2f} %", length_label({total}, *input.trace),
                          percent_of(flame, total)));
  show_figure(input, "longest", full_name_of(flame, rest.front()));
  ImGui::EndTooltip();
  if (ImGui::IsMouseClicked(ImGuiMouseButton_Left) && flame.key.view != "sandwich")
    output.commands.push_back(zoom_command(input, flame, box.node));
}

}  // namespace weft::app
