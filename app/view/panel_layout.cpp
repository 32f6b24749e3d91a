#include "app/view/panel_layout.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <functional>
#include <set>
#include <utility>

namespace weft::app {
namespace {

using Kind = LayoutNode::Kind;

constexpr std::array<std::pair<Side, std::string_view>, 5> kSides = {{{Side::kTab, "tab"},
                                                                      {Side::kLeft, "left"},
                                                                      {Side::kRight, "right"},
                                                                      {Side::kTop, "top"},
                                                                      {Side::kBottom, "bottom"}}};
constexpr double kLeastPx = 24;
constexpr double kMostPx = 8000;
constexpr double kLeastShare = 0.05;
constexpr int kMostDepth = 16;  // of a layout that is read

// The way from the root to the tab group that holds the panel; empty: it is nowhere.
std::vector<LayoutNode*> path_to(LayoutNode& node, std::string_view id) {
  if (node.kind == Kind::kTabs) {
    if (std::ranges::find(node.tabs, id) == node.tabs.end()) return {};
    return {&node};
  }
  for (LayoutNode& child : node.children) {
    std::vector<LayoutNode*> path = path_to(child, id);
    if (path.empty()) continue;
    path.insert(path.begin(), &node);
    return path;
  }
  return {};
}

// The place where two paths diverge: the two children of their last common node.
std::pair<LayoutNode*, LayoutNode*> parting(const std::vector<LayoutNode*>& a,
                                            const std::vector<LayoutNode*>& b) {
  for (size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    if (a[i] != b[i]) return {a[i], b[i]};
  }
  return {nullptr, nullptr};
}

Kind split_of(Side side) {
  return side == Side::kLeft || side == Side::kRight ? Kind::kRow : Kind::kColumn;
}

// The size that a panel alone in its group takes along where it is moved.
double own_px(const std::vector<LayoutNode*>& path, Side side) {
  if (path.size() < 2 || path.back()->tabs.size() > 1) return 0;
  return path[path.size() - 2]->kind == split_of(side) ? path.back()->px : 0;
}

LayoutNode tab_group(std::string_view id, double px) {
  LayoutNode node;
  node.tabs = {std::string(id)};
  node.px = px;
  return node;
}

// Replaces `node` by a split of `node` and `added`.
void split(LayoutNode& node, LayoutNode added, Side side) {
  LayoutNode old = std::exchange(node, {});
  node.kind = split_of(side);
  node.px = std::exchange(old.px, 0);
  node.weight = std::exchange(old.weight, 1);
  const bool is_first = side == Side::kLeft || side == Side::kTop;
  LayoutNode &first = is_first ? added : old, &second = is_first ? old : added;
  node.children.push_back(std::move(first));
  node.children.push_back(std::move(second));
}

// Removes the panel below `node`; true where nothing is left of the node.
bool removed_all(LayoutNode& node, std::string_view id) {
  if (node.kind == Kind::kTabs) {
    const auto tab = std::ranges::find(node.tabs, id);
    if (tab == node.tabs.end()) return false;
    const auto index = static_cast<size_t>(tab - node.tabs.begin());
    node.tabs.erase(tab);
    if (node.active > index || node.active == node.tabs.size()) {
      node.active = std::max<size_t>(node.active, 1) - 1;
    }
    return node.tabs.empty();
  }
  std::erase_if(node.children, [&](LayoutNode& child) { return removed_all(child, id); });
  if (node.children.size() == 1) {
    LayoutNode only = std::move(node.children.front());
    only.px = node.px;
    only.weight = node.weight;
    node = std::move(only);
  }
  return node.kind != Kind::kTabs && node.children.empty();
}

Json json_from_node(const LayoutNode& node) {
  Json json = Json::object();
  if (node.px > 0) json["px"] = node.px;
  if (node.weight != 1) json["weight"] = node.weight;
  if (node.kind == Kind::kTabs) {
    json["tabs"] = node.tabs;
    if (node.active > 0) json["active"] = node.active;
    return json;
  }
  Json& children = json[node.kind == Kind::kRow ? "row" : "column"] = Json::array();
  for (const LayoutNode& child : node.children) children.push_back(json_from_node(child));
  return json;
}

double number_or(const Json& json, const char* key, double otherwise, double least, double most) {
  return std::clamp(number_in(json, key).value_or(otherwise), least, most);
}

Status read_tabs(const Json& tabs, LayoutNode& node, std::set<std::string>& placed) {
  for (const Json& tab : tabs) {
    if (!tab.is_string()) return fail("a tab must be the id of a panel");
    const auto id = tab.get<std::string>();
    if (!placed.insert(id).second) return fail(fmt::format("the panel '{}' is there twice", id));
    node.tabs.push_back(id);
  }
  return node.tabs.empty() ? fail("a group without panels") : Status();
}

Result<LayoutNode> node_from_json(const Json& json, std::set<std::string>& placed, int depth) {
  if (!json.is_object() || depth > kMostDepth) return fail("no layout");
  LayoutNode node;
  node.px = number_or(json, "px", 0, 0, kMostPx);
  node.weight = number_or(json, "weight", 1, 1e-3, 1e3);
  if (const auto tabs = json.find("tabs"); tabs != json.end()) {
    WEFT_TRY(read_tabs(*tabs, node, placed));
    node.active = static_cast<size_t>(
        number_or(json, "active", 0, 0, static_cast<double>(node.tabs.size() - 1)));
    return node;
  }
  node.kind = json.contains("row") ? Kind::kRow : Kind::kColumn;
  const auto children = json.find(node.kind == Kind::kRow ? "row" : "column");
  if (children == json.end() || !children->is_array() || children->size() < 2) {
    return fail("a part of a layout has 'tabs', or 'row' or 'column' of two or more");
  }
  for (const Json& child : *children) {
    WEFT_TRY_ASSIGN(node.children.emplace_back(), node_from_json(child, placed, depth + 1));
  }
  return node;
}

}  // namespace

std::optional<Side> side_from_name(std::string_view name) {
  for (const auto& [side, its_name] : kSides) {
    if (its_name == name) return side;
  }
  return std::nullopt;
}

std::string_view name_of(Side side) { return kSides[static_cast<size_t>(side)].second; }

PanelInstance* PanelLayout::find(std::string_view id) {
  const auto it = std::ranges::find(panels_, id, &PanelInstance::id);
  return it == panels_.end() ? nullptr : &*it;
}

const PanelInstance* PanelLayout::find(std::string_view id) const {
  return const_cast<PanelLayout*>(this)->find(id);
}

const PanelInstance* PanelLayout::first_of(std::string_view kind) const {
  const auto it = std::ranges::find(panels_, kind, &PanelInstance::kind);
  return it == panels_.end() ? nullptr : &*it;
}

size_t PanelLayout::count_of(std::string_view kind) const {
  return static_cast<size_t>(std::ranges::count(panels_, kind, &PanelInstance::kind));
}

const LayoutNode* PanelLayout::group_of(std::string_view id) const {
  if (!root_) return nullptr;
  const auto path = path_to(const_cast<LayoutNode&>(*root_), id);
  return path.empty() ? nullptr : path.back();
}

std::vector<std::string> PanelLayout::in_places() const {
  std::vector<std::string> ids;
  const auto add = [&](const auto& self, const LayoutNode& node) -> void {
    ids.insert(ids.end(), node.tabs.begin(), node.tabs.end());
    for (const LayoutNode& child : node.children) self(self, child);
  };
  if (root_) add(add, *root_);
  return ids;
}

std::optional<std::string> PanelLayout::open(std::string_view kind, std::string_view target,
                                             Side side, double px) {
  if (panels_.size() >= kMaxPanels) return std::nullopt;
  if (!target.empty() && !group_of(target)) return std::nullopt;
  std::string id(kind);
  for (int n = 2; find(id); ++n) id = fmt::format("{}-{}", kind, n);
  // Before the list grows: `target` may be the name of a panel in it.
  insert(id, target, side, px);
  panels_.push_back({id, std::string(kind), Json::object(), std::nullopt, {}});
  give_focus(id);
  return id;
}

void PanelLayout::insert(std::string_view id, std::string_view target, Side side, double px) {
  if (!root_) {
    root_ = tab_group(id, px);
    return;
  }
  std::vector<LayoutNode*> path = target.empty() ? std::vector{&*root_} : path_to(*root_, target);
  LayoutNode& node = *path.back();
  if (side == Side::kTab) {
    LayoutNode* group = &node;
    while (group->kind != Kind::kTabs) group = &group->children.back();
    group->tabs.insert(group->tabs.begin() + static_cast<ptrdiff_t>(group->active) + 1,
                       std::string(id));
    ++group->active;
    return;
  }
  const Kind kind = split_of(side);
  const bool is_first = side == Side::kLeft || side == Side::kTop;
  LayoutNode* parent = path.size() > 1 ? path[path.size() - 2] : nullptr;
  if (target.empty() && node.kind == kind) {
    node.children.insert(is_first ? node.children.begin() : node.children.end(), tab_group(id, px));
  } else if (parent && parent->kind == kind) {
    LayoutNode added = tab_group(id, px);
    if (px == 0) {
      added.px = node.px /= 2;
      added.weight = node.weight /= 2;
    }
    const auto at = parent->children.begin() + (&node - parent->children.data());
    parent->children.insert(is_first ? at : at + 1, std::move(added));
  } else {
    split(node, tab_group(id, px), side);
    // The whole has no size of its own; what was alone in it takes its along.
    if (!parent) std::swap(node.px, node.children[is_first ? 1 : 0].px);
  }
}

void PanelLayout::detach(std::string_view id) {
  if (root_ && removed_all(*root_, id)) root_.reset();
}

void PanelLayout::give_focus(const std::string& id) {
  std::erase(focus_order_, id);
  focus_order_.push_back(id);
  focused_ = id;
}

bool PanelLayout::move(std::string_view id, std::string_view target, Side side) {
  const PanelInstance* panel = find(id);
  const LayoutNode* group = target.empty() ? nullptr : group_of(target);
  if (!panel || (!target.empty() && !group)) return false;
  const std::string kept = panel->id;
  std::string beside(target);
  // Within the group itself, another of its tabs is the anchor; a panel alone in its group stays
  // where it is.
  if (group && group == group_of(kept)) {
    if (group->tabs.size() == 1) return focus(kept);
    if (beside == kept) beside = group->tabs[group->tabs[0] == kept ? 1 : 0];
  }
  const double px = own_px(path_to(*root_, kept), side);
  detach(kept);
  insert(kept, beside, side, px);
  give_focus(kept);
  return true;
}

bool PanelLayout::close(std::string_view id) {
  const PanelInstance* panel = find(id);
  if (!panel) return false;
  if (focused_ == id) focused_.clear();
  std::erase(focus_order_, id);
  detach(id);
  panels_.erase(panels_.begin() + (panel - panels_.data()));
  return true;
}

bool PanelLayout::close_into(std::string_view id, std::string_view heir) {
  if (!find(id) || !find(heir)) return false;
  const std::vector<LayoutNode*> path = path_to(*root_, id);
  const auto [part, other] = parting(path, path_to(*root_, heir));
  const bool goes = part == path.back() && part->tabs.size() == 1;
  if (goes && part->px == 0 && other->px == 0) other->weight += part->weight;
  return close(id);
}

std::optional<Kind> PanelLayout::split_between(std::string_view a, std::string_view b) const {
  if (!find(a) || !find(b)) return std::nullopt;
  auto& root = const_cast<LayoutNode&>(*root_);  // it is only read
  const std::vector<LayoutNode*> path = path_to(root, a);
  const auto part = std::ranges::find(path, parting(path, path_to(root, b)).first);
  if (part == path.begin() || part == path.end()) return std::nullopt;
  return (*std::prev(part))->kind;
}

bool PanelLayout::focus(std::string_view id) {
  if (!root_) return false;
  const auto path = path_to(*root_, id);
  if (path.empty()) return false;
  LayoutNode& group = *path.back();
  group.active = static_cast<size_t>(std::ranges::find(group.tabs, id) - group.tabs.begin());
  give_focus(std::string(id));
  return true;
}

bool PanelLayout::resize_share(std::string_view id, std::string_view beside, double share) {
  if (!root_) return false;
  const auto [part, other] = parting(path_to(*root_, id), path_to(*root_, beside));
  if (!part || part->px > 0 || other->px > 0) return false;
  const double both = part->weight + other->weight;
  part->weight = both * std::clamp(share, kLeastShare, 1 - kLeastShare);
  other->weight = both - part->weight;
  return true;
}

bool PanelLayout::grow(std::string_view id, LayoutNode::Kind along, double px) {
  if (!find(id)) return false;
  const std::vector<LayoutNode*> path = path_to(*root_, id);
  for (size_t i = path.size(); i-- > 1;) {
    if (path[i - 1]->kind != along) continue;
    if (path[i]->px > 0) path[i]->px = std::max(path[i]->px, px);
    return path[i]->px > 0;
  }
  return false;
}

bool PanelLayout::resize_px(std::string_view id, std::string_view beside, double px) {
  if (!root_) return false;
  LayoutNode* part = parting(path_to(*root_, id), path_to(*root_, beside)).first;
  if (!part) return false;
  part->px = std::clamp(px, kLeastPx, kMostPx);
  return true;
}

bool PanelLayout::resize(const std::map<std::string, double>& px_by_panel) {
  if (!root_ || px_by_panel.size() < 2) return false;
  const std::vector<LayoutNode*> first = path_to(*root_, px_by_panel.begin()->first);
  const std::vector<LayoutNode*> last = path_to(*root_, px_by_panel.rbegin()->first);
  const auto part = std::ranges::find(first, parting(first, last).first);
  if (part == first.begin() || part == first.end()) return false;
  LayoutNode& split = **std::prev(part);

  std::vector<std::pair<LayoutNode*, double>> parts;
  double fixed = 0, flexible = 0, weights = 0;
  for (const auto& [panel, px] : px_by_panel) {
    const std::vector<LayoutNode*> path = path_to(split, panel);
    if (path.size() < 2) return false;
    if (std::ranges::count(parts, path[1], &std::pair<LayoutNode*, double>::first) > 0)
      return false;
    parts.emplace_back(path[1], std::clamp(px, kLeastPx, kMostPx));
    (path[1]->px > 0 ? fixed : flexible) += parts.back().second;
    if (path[1]->px == 0) weights += path[1]->weight;
  }
  const double weight_of_px = flexible > 0 ? weights / flexible : 0;
  std::ranges::sort(parts, std::greater{}, &std::pair<LayoutNode*, double>::second);
  for (const auto& [node, px] : parts) {
    const bool is_too_much = fixed > (1 - kLeastFlexible) * (fixed + flexible);
    if (node->px > 0 && flexible > 0 && is_too_much) {
      node->px = 0;
      fixed -= px;
      flexible += px;
    }
    (node->px > 0 ? node->px : node->weight) = node->px > 0 ? px : px * weight_of_px;
  }
  return true;
}

Json PanelLayout::json_from(const PanelInstance& panel) {
  Json json = {{"id", panel.id}, {"kind", panel.kind}};
  if (!panel.options.empty()) json["options"] = panel.options;
  if (!panel.group.empty()) json["group"] = panel.group;
  return json;
}

Result<PanelInstance> PanelLayout::panel_from(const Json& json) {
  if (!json.is_object()) return fail("a panel is a JSON object");
  PanelInstance panel;
  panel.id = text_in(json, "id");
  panel.kind = text_in(json, "kind");
  panel.group = text_in(json, "group");
  if (const auto options = json.find("options"); options != json.end()) {
    if (!options->is_object()) return fail("'options' must be a JSON object");
    panel.options = *options;
  }
  return panel;
}

Json PanelLayout::to_json() const {
  Json panels = Json::array();
  for (const PanelInstance& panel : panels_) panels.push_back(json_from(panel));
  Json json = {{"panels", std::move(panels)}};
  if (root_) json["root"] = json_from_node(*root_);
  return json;
}

Result<PanelLayout> PanelLayout::from_json(const Json& json) {
  if (!json.is_object()) return fail("a layout is a JSON object");
  PanelLayout layout;
  std::set<std::string> placed;
  if (const auto root = json.find("root"); root != json.end()) {
    WEFT_TRY_ASSIGN(layout.root_, node_from_json(*root, placed, 0));
  }
  const auto panels = json.find("panels");
  if (panels == json.end() || !panels->is_array() || panels->size() > kMaxPanels) {
    return fail(fmt::format("'panels' must be a list of at most {}", kMaxPanels));
  }
  for (const Json& panel : *panels) {
    WEFT_TRY_ASSIGN(PanelInstance instance, panel_from(panel));
    // Each is in the tree once, and the tree names no other.
    if (placed.erase(instance.id) == 0) {
      return fail(fmt::format("the panel '{}' has no place", instance.id));
    }
    layout.panels_.push_back(std::move(instance));
  }
  if (!placed.empty())
    return fail(fmt::format("'{}' is not a panel of the layout", *placed.begin()));
  return layout;
}

}  // namespace weft::app
