// Saves the arrangement of a trace's lanes as JSON between runs of the program. Lanes are
// identified by number, so an arrangement fits only the trace it was taken from.
#pragma once

#include <optional>
#include <span>

#include "app/base/json.h"
#include "core/layout/lane_order.h"

namespace weft::app {

// A lane or a group that is there; its number.
std::optional<LaneId> lane_from_json(const Json& json, size_t lane_count,
                                     std::span<const layout::LaneGroup> groups);
// Only the differences from the trace's own arrangement.
Json json_from_arrangement(const layout::LaneArrangement& arrangement);
// Leaves out members of the wrong type, and lanes beyond `lane_count`.
layout::LaneArrangement arrangement_from_json(const Json& json, size_t lane_count);

}  // namespace weft::app
