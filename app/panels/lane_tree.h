// The column left of the Gantt's canvas: names and fold marks of the lanes, beside their rows.
#pragma once

#include "app/panels/panels.h"

namespace weft::app {

// Draws the lines that are visible at this scroll into `area` and handles clicks on them.
void draw_lane_tree(const PanelInput& input, const Area& area, double scroll_px,
                    PanelOutput& output);

}  // namespace weft::app
