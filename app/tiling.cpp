#include "app/tiling.h"

#include <algorithm>
#include <cmath>
#include <span>

namespace weft::app {
namespace {

constexpr float kSplitterPx = 5;
constexpr float kLeastFlexible = 0.45F;
constexpr float kLeastShrink = 0.2F;

// Whole pixels for each part, `room` in all.
std::vector<float> sizes_of(std::span<const LayoutNode> parts, float room, float scale) {
  float fixed = 0;
  float weights = 0;
  for (const LayoutNode& part : parts) {
    if (part.px > 0) fixed += std::round(static_cast<float>(part.px) * scale);
    if (part.px == 0) weights += static_cast<float>(part.weight);
  }
  const float least = weights > 0 ? room * kLeastFlexible : 0;
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
  // What rounding left, or what nobody asked for, goes to the last.
  sizes.back() = std::max(1.0F, sizes.back() + room - used);
  return sizes;
}

void place(const LayoutNode& node, const Area& area, float scale, Tiling& tiling) {
  if (node.kind == LayoutNode::Kind::kTabs) {
    tiling.groups.push_back({&node, area});
    return;
  }
  const bool is_row = node.kind == LayoutNode::Kind::kRow;
  const float gap = std::round(kSplitterPx * scale);
  const float gaps = gap * static_cast<float>(node.children.size() - 1);
  const float whole = is_row ? area.width() : area.height();
  const std::vector<float> sizes = sizes_of(node.children, std::max(1.0F, whole - gaps), scale);
  const float end = is_row ? area.x1 : area.y1;
  const auto slice = [&](float from, float to) {
    from = std::min(from, end);
    to = std::min(to, end);
    return is_row ? Area{from, area.y0, to, area.y1} : Area{area.x0, from, area.x1, to};
  };
  float at = is_row ? area.x0 : area.y0;
  for (size_t i = 0; i < node.children.size(); ++i) {
    const float next = at + sizes[i];
    place(node.children[i], slice(at, next), scale, tiling);
    if (i + 1 < node.children.size()) {
      tiling.splitters.push_back({is_row, slice(next, next + gap), &node.children[i],
                                  &node.children[i + 1], at, next + gap + sizes[i + 1]});
    }
    at = next + gap;
  }
}

}  // namespace

Tiling arrange(const LayoutNode& root, const Area& area, float scale) {
  Tiling tiling;
  place(root, area, scale, tiling);
  return tiling;
}

const std::string& some_panel_of(const LayoutNode& node) {
  return node.kind == LayoutNode::Kind::kTabs ? node.tabs[node.active]
                                              : some_panel_of(node.children.front());
}

}  // namespace weft::app
