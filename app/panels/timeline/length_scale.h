// The legend of colours for states that are coloured by duration.
#pragma once

#include "app/panels/panels.h"

namespace weft::app {

inline constexpr float kLegendMarginPx = 8;  // below a legend at the lower left of a canvas

// Whether states have the colours of their durations.
bool has_length_scale(const PanelInput& input);
// Draws it in a line of its own, from the left: the shortest duration, a strip of colours, the
// longest. Returns where it ends; what else is in the line comes behind it.
float draw_length_scale(const PanelInput& input, const Area& line);

}  // namespace weft::app
