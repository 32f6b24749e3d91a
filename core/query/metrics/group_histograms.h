// The distribution of a metric's values per group: Statistics::histogram for single groups.
#pragma once

#include <vector>

#include "core/query/metrics/metrics.h"
#include "core/query/selection.h"
#include "core/query/work.h"
#include "core/store/trace.h"

namespace weft::query {

// Returns a histogram for each of statistics.groups, which `metric` must have measured for the same
// selection. Reads the records again, on all threads; half a KiB per group and thread.
std::vector<Histogram> group_histograms(const store::Trace& trace, const Selection& selection,
                                        GroupBy by, const Metric& metric,
                                        const Statistics& statistics, const Work& work);

}  // namespace weft::query
