// From a layout of panels to places on the screen: pure arithmetic, in whole pixels.
//
// Parts of a fixed size get it; what is left goes to the others by weight. Where there is too
// little room the fixed ones shrink alike, so that the others keep kLeastFlexible of it.
#pragma once

#include <string>
#include <vector>

#include "app/area.h"
#include "app/panel_layout.h"

namespace weft::app {

struct PlacedGroup {
  const LayoutNode* group = nullptr;
  Area area;
};

// The gap between two parts of a split.
struct Splitter {
  bool is_row = false;  // the parts lie side by side: it moves to the left and right
  Area area;
  const LayoutNode* before = nullptr;
  const LayoutNode* after = nullptr;
  float begin = 0, end = 0;  // of both parts together, along the split
};

struct Tiling {
  std::vector<PlacedGroup> groups;
  std::vector<Splitter> splitters;
};

Tiling arrange(const LayoutNode& root, const Area& area, float scale);

// A panel of the part, by which commands name it.
const std::string& some_panel_of(const LayoutNode& node);

}  // namespace weft::app
