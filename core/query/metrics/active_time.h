// How long states run, counted once however deep they nest and however many overlap.
#pragma once

#include <cstdint>
#include <vector>

#include "core/query/metrics/metrics.h"

namespace weft::query {

// By lane: the time in which any selected state runs on the lane. By type: the time in which one
// of the type does, added up over lanes; recursion counts once. Of a group, `count` (of states) and
// `total` are told; the latter is clipped to the range. O(n log n) over the states in the range.
Statistics active_time(const store::Trace& trace, const Selection& selection, GroupBy by,
                       const Work& work);

}  // namespace weft::query
