// The legend of colours for states that are coloured by duration.
#pragma once

#include "app/panels/panels.h"

namespace weft::app {

inline constexpr float kLegendMarginPx = 8;  // below a legend at the lower left of a canvas

// Draws a strip from the shortest to the longest duration, with labels below it, at the lower left
// of a canvas; only a line with the two ends if the canvas is small, or nothing. Draws nothing if
// states have the colours of their types. `bottom` is where the legend ends; afterwards, where the
// next one may end.
void draw_length_scale(const PanelInput& input, const Area& canvas, float& bottom);

}  // namespace weft::app
