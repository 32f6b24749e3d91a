// Lines of exactly one pixel. ImGui's own, where they lie between two, are blurred over both; these
// are not, wherever they are asked for. Without a scale: what separates need not grow.
#pragma once

#include <imgui.h>

#include <cmath>

namespace weft::app {

// In the pixel that `x` is in.
inline void draw_hairline_down(ImDrawList& list, float x, float y0, float y1, ImU32 color) {
  list.AddRectFilled({std::floor(x), y0}, {std::floor(x) + 1, y1}, color);
}
// In the pixel that `y` is in.
inline void draw_hairline_across(ImDrawList& list, float y, float x0, float x1, ImU32 color) {
  list.AddRectFilled({x0, std::floor(y)}, {x1, std::floor(y) + 1}, color);
}

}  // namespace weft::app
