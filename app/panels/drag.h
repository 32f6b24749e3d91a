// Tells a drag from a click by how far the pointer has moved since the button went down.
#pragma once

#include <cmath>

namespace weft::app {

constexpr float kDragPx = 3;

inline bool is_drag(float moved, float scale) { return std::fabs(moved) >= kDragPx * scale; }

}  // namespace weft::app
