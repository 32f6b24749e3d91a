// Lanes by what people call them, for commands that are typed. Pure.
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

// The lane of this path, or the lane or group of this name, where it is the only one. O(lanes).
Result<LaneId> lane_from_name(std::string_view text, const trace::Dictionary& dictionary,
                              std::span<const layout::LaneGroup> groups);

// Lanes whose paths hold all words of the query, in any case, and whose own names hold one of them:
// at most so many, those first that are called just so. O(lanes), of which 100,000 are looked at.
std::vector<LaneId> lanes_with_words(std::string_view query, const trace::Dictionary& dictionary,
                                     size_t most);

}  // namespace weft::app
