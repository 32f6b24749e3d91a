// Time from send to receive of the links that have both ends; by the lane that sends. Negative
// where the clocks of the two ends disagree.
#pragma once

#include "core/query/metrics.h"

namespace weft::query {

Statistics measure_latencies(const store::Trace& trace, const Selection& selection, GroupBy by,
                             ThreadPool& pool);

}  // namespace weft::query
