// The distribution of a metric's values in each group: as Statistics::histogram, of one group each.
#pragma once

#include <vector>

#include "core/query/metrics/metrics.h"
#include "core/query/selection.h"
#include "core/query/work.h"
#include "core/store/trace.h"

namespace weft::query {

// Of each of statistics.groups, which `metric` measured of the same selection. Reads the records
// again, on all threads; half a KiB for each group and thread.
std::vector<Histogram> group_histograms(const store::Trace& trace, const Selection& selection,
                                        GroupBy by, const Metric& metric,
                                        const Statistics& statistics, const Work& work);

}  // namespace weft::query
