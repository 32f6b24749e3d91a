// How a trace's lanes are arranged, as JSON: kept between two runs of the program. Lanes are named
// by number, so it is for the trace that it was taken of.
#pragma once

#include "app/base/json.h"
#include "core/layout/lane_order.h"

namespace weft::app {

// Only what differs from the trace's own arrangement.
Json json_from_arrangement(const layout::LaneArrangement& arrangement);
// What is of the wrong kind, or speaks of a lane beyond `lane_count`, is left out.
layout::LaneArrangement arrangement_from_json(const Json& json, size_t lane_count);

}  // namespace weft::app
