#include "app/view/tiling.h"

#include <algorithm>
#include <cmath>
#include <span>

namespace weft::app {
namespace {

constexpr float kSplitterPx = 5;
constexpr float kLeastDraggedPx = 30;
constexpr float kLeastShrink = 0.2F;
constexpr double kLeastShownPart = 0.5;  // of a fixed size …
constexpr double kLeastTablePx = 160;    // … and a few rows of what is high enough for a table
constexpr double kTablePx = 200;
constexpr double kLeastHeightPx = 90;  // of what has no size of its own …
constexpr double kLeastWidthPx = 240;

// Below it the part is better a tab. Logical pixels, along a row or a column.
double least_px(const LayoutNode& node, bool is_row) {
  const bool has_rows = !is_row && node.px >= kTablePx;
  if (node.px > 0) return std::max(node.px * kLeastShownPart, has_rows ? kLeastTablePx : 0);
  double least = is_row ? kLeastWidthPx : kLeastHeightPx;
  for (const LayoutNode& child : node.children) least = std::max(least, least_px(child, is_row));
  return least;
}

// What the parts without a fixed size get of `room` at least, together. Logical pixels.
double least_flexible_px(std::span<const LayoutNode> parts, double room, bool is_row) {
  double least = 0;
  for (const LayoutNode& part : parts) least += part.px > 0 ? 0 : least_px(part, is_row);
  return least > 0 ? std::max(least, kLeastFlexible * room) : 0;
}

void take_tabs(LayoutNode& from, std::vector<std::string>& tabs) {
  for (LayoutNode& child : from.children) take_tabs(child, tabs);
  tabs.insert(tabs.end(), from.tabs.begin(), from.tabs.end());
}

// One group of all panels of both.
LayoutNode merged(LayoutNode& a, LayoutNode& b, std::span<const std::string> focus_order) {
  LayoutNode group;
  const bool is_fixed = a.px > 0 && b.px > 0;
  group.px = is_fixed ? std::max(a.px, b.px) : 0;
  group.weight = (a.px > 0 ? 0 : a.weight) + (b.px > 0 ? 0 : b.weight);
  if (is_fixed) group.weight = 1;
  const std::string front = some_panel_of(a.px > 0 && b.px == 0 ? b : a);
  take_tabs(a, group.tabs);
  take_tabs(b, group.tabs);
  const auto is_here = [&](const std::string& id) {
    return std::ranges::find(group.tabs, id) != group.tabs.end();
  };
  const auto last = std::find_if(focus_order.rbegin(), focus_order.rend(), is_here);
  const std::string& active = last == focus_order.rend() ? front : *last;
  group.active = static_cast<size_t>(std::ranges::find(group.tabs, active) - group.tabs.begin());
  return group;
}

// Makes tabs of the parts at the end of the split, until the others have room.
void fold(LayoutNode& node, const Area& area, float scale,
          std::span<const std::string> focus_order) {
  const bool is_row = node.kind == LayoutNode::Kind::kRow;
  const double room = static_cast<double>(is_row ? area.width() : area.height()) / scale;
  auto& parts = node.children;
  const auto has_room = [&] {
    const double shared = room - kSplitterPx * static_cast<double>(parts.size() - 1);
    double wanted = 0, fixed = 0;
    for (const LayoutNode& part : parts) {
      wanted += part.px;
      fixed += part.px > 0 ? least_px(part, is_row) : 0;
    }
    const double most_fixed = shared - least_flexible_px(parts, shared, is_row);
    if (fixed > most_fixed) return false;
    return wanted <= most_fixed || std::ranges::all_of(parts, [&](const LayoutNode& part) {
             return part.px == 0 || part.px * most_fixed / wanted >= least_px(part, is_row);
           });
  };
  while (parts.size() > 1 && !has_room()) {
    LayoutNode group = merged(parts[parts.size() - 2], parts.back(), focus_order);
    parts.pop_back();
    parts.back() = std::move(group);
  }
  if (parts.size() > 1) return;
  LayoutNode only = std::move(parts.front());
  only.px = node.px;
  only.weight = node.weight;
  node = std::move(only);
}

// Whole pixels for each part, `room` in all.
std::vector<float> sizes_of(std::span<const LayoutNode> parts, float room, float scale,
                            bool is_row) {
  float fixed = 0;
  float weights = 0;
  for (const LayoutNode& part : parts) {
    if (part.px > 0) fixed += std::round(static_cast<float>(part.px) * scale);
    if (part.px == 0) weights += static_cast<float>(part.weight);
  }
  const float least = scale * static_cast<float>(least_flexible_px(parts, room / scale, is_row));
  const float shrink =
      fixed > 0 ? std::min(1.0F, std::max(kLeastShrink, (room - least) / fixed)) : 1;
  const float rest = std::max(1.0F, room - std::round(fixed * shrink));
  std::vector<float> sizes;
  float used = 0;
  for (const LayoutNode& part : parts) {
    const float size = part.px > 0
                           ? std::round(std::round(static_cast<float>(part.px) * scale) * shrink)
                           : std::round(rest * static_cast<float>(part.weight) / weights);
    sizes.push_back(std::max(1.0F, size));
    used += sizes.back();
  }
  // The rest, from rounding or because nobody asked for it, goes to the last part.
  sizes.back() = std::max(1.0F, sizes.back() + room - used);
  return sizes;
}

void place(LayoutNode& node, const Area& area, float scale,
           std::span<const std::string> focus_order, Tiling& tiling) {
  if (node.kind != LayoutNode::Kind::kTabs) fold(node, area, scale, focus_order);
  if (node.kind == LayoutNode::Kind::kTabs) {
    tiling.groups.push_back({&node, area});
    return;
  }
  const bool is_row = node.kind == LayoutNode::Kind::kRow;
  const float gap = std::round(kSplitterPx * scale);
  const float gaps = gap * static_cast<float>(node.children.size() - 1);
  const float whole = is_row ? area.width() : area.height();
  const std::vector<float> sizes =
      sizes_of(node.children, std::max(1.0F, whole - gaps), scale, is_row);
  const float end = is_row ? area.x1 : area.y1;
  const auto slice = [&](float from, float to) {
    from = std::min(from, end);
    to = std::min(to, end);
    return is_row ? Area{from, area.y0, to, area.y1} : Area{area.x0, from, area.x1, to};
  };
  std::vector<Splitter::Part> parts;
  for (size_t i = 0; i < sizes.size(); ++i) {
    const LayoutNode& child = node.children[i];
    parts.push_back({some_panel_of(child), child.px > 0, sizes[i]});
  }
  float at = is_row ? area.x0 : area.y0;
  for (size_t i = 0; i < node.children.size(); ++i) {
    const float next = at + sizes[i];
    place(node.children[i], slice(at, next), scale, focus_order, tiling);
    if (i + 1 < node.children.size())
      tiling.splitters.push_back({is_row, slice(next, next + gap), parts, i});
    at = next + gap;
  }
}

}  // namespace

Tiling arrange(const LayoutNode& root, const Area& area, float scale,
               std::span<const std::string> focus_order) {
  Tiling tiling;
  auto shown = std::make_unique<LayoutNode>(root);
  place(*shown, area, scale, focus_order, tiling);
  tiling.root = std::move(shown);
  return tiling;
}

std::vector<Splitter::Part> dragged(const Splitter& splitter, float moved_px, float scale) {
  std::vector<Splitter::Part> parts = splitter.parts;
  const auto middle = parts.begin() + static_cast<ptrdiff_t>(splitter.before) + 1;
  const auto is_flexible = [](const Splitter::Part& part) { return !part.is_fixed; };
  const auto last_before = std::find_if(std::reverse_iterator(middle), parts.rend(), is_flexible);
  const auto first_after = std::find_if(middle, parts.end(), is_flexible);
  const bool is_one_before = last_before != parts.rend();
  Splitter::Part& before = is_one_before ? *last_before : *std::prev(middle);
  Splitter::Part& after = is_one_before || first_after == parts.end() ? *middle : *first_after;
  const float least = std::round(kLeastDraggedPx * scale);
  const float least_moved = std::min(0.0F, least - before.px);
  const float most_moved = std::max(0.0F, after.px - least);
  const float moved = std::round(std::clamp(moved_px, least_moved, most_moved));
  before.px += moved;
  after.px -= moved;
  return parts;
}

const std::string& some_panel_of(const LayoutNode& node) {
  return node.kind == LayoutNode::Kind::kTabs ? node.tabs[node.active]
                                              : some_panel_of(node.children.front());
}

}  // namespace weft::app
