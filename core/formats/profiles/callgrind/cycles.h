// Functions that call each other in a circle: of them nobody can say what one cost with all that it
// called.
#pragma once

#include <cstdint>
#include <vector>

#include "core/formats/profiles/callgrind/call_graph.h"

namespace weft::formats::callgrind {

// The number of the group that each function is in: functions of a group reach each other by calls
// that cost something. Most are alone in theirs. Groups are numbered from 0, callees before their
// callers. Tarjan's, without recursion: O(functions + calls).
std::vector<uint32_t> cycles_of(const CallGraph& graph,
                                const std::vector<std::vector<uint32_t>>& calls_of_function);

}  // namespace weft::formats::callgrind
