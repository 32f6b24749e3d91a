// Computes the places of a layout's panels on the screen: pure arithmetic, in whole pixels.
//
// Parts of a fixed size get that size; the others share the rest by weight. If there is too little
// room, the fixed parts shrink in proportion, so that the others keep kLeastFlexible of it, and as
// much as each of them needs. If a part would get less than half of the size it wants, or a table
// no rows, the last two parts of the split become tabs of one group until there is room: in a small
// window a panel is shown well, and the others are a click away.
//
//   overview / gantt / density / events    in a low window:    overview / [gantt density events]
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "app/base/area.h"
#include "app/view/panel_layout.h"

namespace weft::app {

struct PlacedGroup {
  const LayoutNode* group = nullptr;
  Area area;
};

// The gap between two parts of a split.
struct Splitter {
  struct Part {
    std::string panel;  // any panel in it, by which commands identify it
    bool is_fixed = false;
    float px = 0;  // size along the split, as shown
  };

  bool is_row = false;  // the parts lie side by side: the splitter moves left and right
  Area area;
  std::vector<Part> parts;  // all parts of the split
  size_t before = 0;        // index of the part before the splitter
};

// The sizes of the parts after the splitter has been dragged by `moved_px`, as far as that is
// possible. The part behind it changes, and the nearest flexible part before it gives or takes the
// room; the parts between these two move along. If no part before it is flexible, the part right
// before it changes instead.
std::vector<Splitter::Part> dragged(const Splitter& splitter, float moved_px, float scale);

struct Tiling {
  std::unique_ptr<const LayoutNode> root;  // the layout as shown; the members below point into it
  std::vector<PlacedGroup> groups;
  std::vector<Splitter> splitters;
};

// `focus_order`: in groups merged from several, the panel that comes last in it is in front.
Tiling arrange(const LayoutNode& root, const Area& area, float scale,
               std::span<const std::string> focus_order = {});

// Any panel in the part, by which commands identify it.
const std::string& some_panel_of(const LayoutNode& node);

}  // namespace weft::app
