// Marks where empty time is cut out of a time axis: a break in the ruler and a zig-zag through the
// lanes, across the axis; a tooltip tells the length of the cut.
#pragma once

#include <imgui.h>

#include "app/panels/panels.h"
#include "app/panels/timeline/time_axis.h"

namespace weft::app {

// Cuts that lie closer together than the width of their marks share a mark.
void draw_cut_marks(const PanelInput& input, const TimeAxis& axis, const Area& ruler,
                    const Area& canvas);
// Shows the tooltip of the mark under the pointer; false: there is none.
bool hover_cut_mark(const PanelInput& input, const TimeAxis& axis, ImVec2 mouse);

}  // namespace weft::app
