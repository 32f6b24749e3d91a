// What the colours of states say where these are coloured by how long they take.
#pragma once

#include "app/panels/panels.h"

namespace weft::app {

inline constexpr float kLegendMarginPx = 8;  // below what stands at the lower left of a canvas

// A strip from the shortest to the longest, with lengths below it, at the lower left of a canvas;
// where that is small a line with the two ends, or nothing; nothing where states have the colours
// of their types. `bottom` is where it ends, and then where the next legend may.
void draw_length_scale(const PanelInput& input, const Area& canvas, float& bottom);

}  // namespace weft::app
