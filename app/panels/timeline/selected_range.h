// Draws the selected range over the timeline, with its length: the ruler shows all of it, the lanes
// only those that are selected, or all if none is.
#pragma once

#include <optional>
#include <span>

#include "app/panels/timeline/lane_band.h"
#include "app/panels/timeline/time_axis.h"

namespace weft::app {

// The area for the length of the selection: in the ruler, where it covers no event, or, if the time
// between A and B is shown there, below it and below the names of markers. Needs the small font.
std::optional<Area> place_selection_length(const PanelInput& input, const TimeAxis& axis,
                                           const Area& ruler, const Area& canvas);

// `bands`: the bands of the canvas.
void draw_selection(const PanelInput& input, const TimeAxis& axis, const Area& ruler,
                    const Area& canvas, std::span<const LaneBand* const> bands);

}  // namespace weft::app
