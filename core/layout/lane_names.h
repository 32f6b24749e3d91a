// Names by which lanes that stand side by side are told apart: each its own, and where several have
// the same, with the names of as many groups around them as it takes: "rank 0/main", "rank 1/main".
// Lanes that are alike up to the root stay so.
//
// Cost: O(lanes · depth) look-ups of names.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/trace/model.h"

namespace weft::layout {

// In the order of `lanes`.
std::vector<std::string> distinct_names(const trace::Dictionary& dictionary,
                                        std::span<const LaneId> lanes);

// Valid UTF-8 in at most `most` letters each. What "…" stands for is at the end, or, where that
// would make different names alike, what these have in common: "Execution #1/main", "Execution
// #2/main" become "Ex…1/main", "Ex…2/main".
std::vector<std::string> shortened(std::span<const std::string> names, size_t most);

}  // namespace weft::layout
