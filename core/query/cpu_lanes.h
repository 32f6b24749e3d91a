// Which lanes are those of a CPU, and of which.
//
// A lane is a CPU where its format says so (trace::LaneKind::kCpu) or its name is "CPU 2", "cpu2",
// "cpu-2"; its number is the one at the end of its name. What lies below is of that CPU, too.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/trace/model.h"

namespace weft::query {

// By lane; nothing: of none. O(lanes).
std::vector<std::optional<int64_t>> cpu_of_lanes(const trace::Dictionary& dictionary);

}  // namespace weft::query
