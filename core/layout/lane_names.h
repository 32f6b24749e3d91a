// Names that tell lanes apart. Lanes with the same name are qualified with as many ancestors as
// necessary: "rank 0/main", "rank 1/main". Lanes whose whole paths are equal stay alike.
//
// Cost: O(lanes · depth) look-ups of names.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/trace/model.h"

namespace weft::layout {

// Returns a name per lane, in order.
std::vector<std::string> distinct_names(const trace::Dictionary& dictionary,
                                        std::span<const LaneId> lanes);

// Shortens names to at most `most` characters of valid UTF-8. "…" replaces the end or, if that
// would make different names alike, a part that they share: "Execution #1/main" and "Execution
// #2/main" become "Ex…1/main" and "Ex…2/main".
std::vector<std::string> shortened(std::span<const std::string> names, size_t most);

}  // namespace weft::layout
