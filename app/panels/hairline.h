// Lines of exactly one pixel, wherever they are placed; ImGui blurs its own over two pixels if they
// lie between them. They do not scale: a separator need not grow.
#pragma once

#include <imgui.h>

#include <cmath>

namespace weft::app {

// A vertical line in the pixel column that contains `x`.
inline void draw_hairline_down(ImDrawList& list, float x, float y0, float y1, ImU32 color) {
  list.AddRectFilled({std::floor(x), y0}, {std::floor(x) + 1, y1}, color);
}
// A horizontal line in the pixel row that contains `y`.
inline void draw_hairline_across(ImDrawList& list, float y, float x0, float x1, ImU32 color) {
  list.AddRectFilled({x0, std::floor(y)}, {x1, std::floor(y) + 1}, color);
}

}  // namespace weft::app
