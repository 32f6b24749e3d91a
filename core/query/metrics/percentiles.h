// Exact percentiles of the values of a metric, in bounded memory.
//
// The p-th percentile of n values is the one of rank ceil(p·n/100): the smallest that at least p %
// of the values do not exceed.
//
// Every group's ranks are looked for at once. A rank lies in an interval of values (at first: from
// the group's least to its most); a pass over the records counts the values of the interval in
// logarithmic parts, as fine as there is room for, and goes on with the part that holds the rank;
// where the values of intervals fit in memory, the pass gathers them, to choose from. Two passes
// are usual.
#pragma once

#include <functional>

#include "core/query/metrics/metrics.h"
#include "core/query/selection.h"
#include "core/query/work.h"
#include "core/store/trace.h"

namespace weft::query {

// How much of the work is done, from 0 to 1, about; called from all threads.
using OnPercentiles = std::function<void(double)>;

// Fills in Group::percentiles of what `metric` measured of the same selection. Values that are
// gathered at once: `most_values` (8 bytes each).
void add_percentiles(const store::Trace& trace, const Selection& selection, GroupBy by,
                     const Metric& metric, Statistics& statistics, const Work& work,
                     const OnPercentiles& on_progress = {},
                     uint64_t most_values = uint64_t{4} << 20);

}  // namespace weft::query
