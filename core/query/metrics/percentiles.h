// Exact percentiles of the values of a metric, in bounded memory.
//
// The p-th percentile of n values is the one of rank ceil(p·n/100): the smallest that at least p %
// of the values do not exceed.
//
// The ranks of all groups are searched at once. Each rank lies in an interval of values, initially
// from the group's minimum to its maximum. A pass over the records counts the interval's values in
// logarithmic parts, as fine as memory permits, and continues with the part that contains the rank;
// once the values of the intervals fit in memory, a pass collects them and selects. Two passes are
// usual.
#pragma once

#include <functional>

#include "core/query/metrics/metrics.h"
#include "core/query/selection.h"
#include "core/query/work.h"
#include "core/store/trace.h"

namespace weft::query {

// Reports progress, about 0 to 1; called from all threads.
using OnPercentiles = std::function<void(double)>;

// Sets Group::percentiles in `statistics`, which `metric` measured for the same selection.
// `most_values` limits the values collected at once (8 bytes each).
void add_percentiles(const store::Trace& trace, const Selection& selection, GroupBy by,
                     const Metric& metric, Statistics& statistics, const Work& work,
                     const OnPercentiles& on_progress = {},
                     uint64_t most_values = uint64_t{4} << 20);

}  // namespace weft::query
