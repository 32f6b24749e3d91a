// From a layout of panels to places on the screen: pure arithmetic, in whole pixels.
//
// Parts of a fixed size get it; what is left goes to the others by weight. Where there is too
// little room the fixed ones shrink alike, so that the others keep kLeastFlexible of it. Where a
// part would get less than half of what it wants, the last two of the split become tabs of one
// group until there is room: in a small window a panel is shown well, and the others are a click
// away.
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
    std::string panel;  // some panel of it, by which commands name it
    bool is_fixed = false;
    float px = 0;  // along the split, as it is shown
  };

  bool is_row = false;  // the parts lie side by side: it moves to the left and right
  Area area;
  std::vector<Part> parts;  // all of the split
  size_t before = 0;        // the part before it
};

// The parts once it has been dragged by so many pixels, as far as it goes. The part behind it
// changes, and the nearest flexible one before it gives or takes the room: what lies between them
// moves along. Where none is flexible before it, the part before it changes likewise.
std::vector<Splitter::Part> dragged(const Splitter& splitter, float moved_px, float scale);

struct Tiling {
  std::unique_ptr<const LayoutNode> root;  // as it is shown: the others point into it
  std::vector<PlacedGroup> groups;
  std::vector<Splitter> splitters;
};

// `focus_order`: of groups that are made of several, that panel is in front that comes last there.
Tiling arrange(const LayoutNode& root, const Area& area, float scale,
               std::span<const std::string> focus_order = {});

// A panel of the part, by which commands name it.
const std::string& some_panel_of(const LayoutNode& node);

}  // namespace weft::app
