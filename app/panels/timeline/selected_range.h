// The selected range over the timeline, with its length: the ruler shows all of it, the lanes only
// where they are selected, too, or where none is.
#pragma once

#include <optional>
#include <span>

#include "app/panels/timeline/lane_band.h"
#include "app/panels/timeline/time_axis.h"

namespace weft::app {

// Where the length of the selection stands. In the ruler it covers no event; where the time between
// A and B stands there, below it, and below the names of markers. Needs the small font.
std::optional<Area> place_selection_length(const PanelInput& input, const TimeAxis& axis,
                                           const Area& ruler, const Area& canvas);

// `bands`: those of the canvas.
void draw_selection(const PanelInput& input, const TimeAxis& axis, const Area& ruler,
                    const Area& canvas, std::span<const LaneBand* const> bands);

}  // namespace weft::app
