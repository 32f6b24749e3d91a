// Exact percentiles of the values of a metric, in bounded memory.
//
// The p-th percentile of n values is the one of rank ceil(p·n/100): the smallest that at least p %
// of the values do not exceed.
//
// Every group's ranks are looked for at once. A rank lies in an interval of values (at first: from
// the group's least to its most); a pass over the records counts the values of the interval in
// logarithmic parts, and goes on with the part that holds the rank, until the values of all
// intervals fit in memory: they are gathered and chosen from. Two or three passes are usual.
#pragma once

#include "core/query/metrics/metrics.h"
#include "core/query/selection.h"
#include "core/query/work.h"
#include "core/store/trace.h"

namespace weft::query {

// Fills in Group::percentiles of what `metric` measured of the same selection. Values that are
// gathered at once: `most_values` (8 bytes each).
void add_percentiles(const store::Trace& trace, const Selection& selection, GroupBy by,
                     const Metric& metric, Statistics& statistics, const Work& work,
                     uint64_t most_values = uint64_t{4} << 20);

}  // namespace weft::query
