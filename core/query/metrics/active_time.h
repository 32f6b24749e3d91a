// The time in which states run, counted once however deeply they nest and however many overlap.
#pragma once

#include "core/query/metrics/metrics.h"

namespace weft::query {

// Measures, by lane, the time in which any selected state runs on the lane; by type, the time in
// which a state of the type runs, summed over lanes (recursion counts once). Groups have `count`
// (of states) and `total`, the latter clipped to the range. O(n log n) for n states in the range.
Statistics active_time(const store::Trace& trace, const Selection& selection, GroupBy by,
                       const Work& work);

}  // namespace weft::query
