// The names of lanes that stand side by side, above their columns: in as many lines as it takes for
// them to be read, cut where that is too many. (TM-02)
#pragma once

#include "app/panels/panels.h"
#include "core/layout/sequence.h"

namespace weft::app {

// For lanes so far apart.
float lane_header_height(const PanelInput& input, double pitch_px);

// `area`: above the diagram, as wide.
void draw_lane_header(const PanelInput& input, const layout::SequenceLanes& lanes,
                      const Area& area);

// The full name of the lane in whose column the pointer is.
void show_lane_tooltip(const PanelInput& input, LaneId lane);

}  // namespace weft::app
