// Finds lanes by the names that people type in commands. Pure functions.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/base/strong_id.h"
#include "core/layout/lane_groups.h"
#include "core/trace/model.h"

namespace weft::app {

// The lane with this path, or the only lane or group with this name; an error otherwise. O(lanes).
Result<LaneId> lane_from_name(std::string_view text, const trace::Dictionary& dictionary,
                              std::span<const layout::LaneGroup> groups);

// At most `most` lanes whose paths contain all words of the query, and whose own names contain at
// least one, ignoring case; exact matches come first. O(lanes), of which the first 100,000 are
// searched.
std::vector<LaneId> lanes_with_words(std::string_view query, const trace::Dictionary& dictionary,
                                     size_t most);

}  // namespace weft::app
