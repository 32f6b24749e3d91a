// The metric "latency": time from send to receive of links that have both ends, by sending lane.
// Negative if the clocks of the two ends disagree.
#pragma once

#include "core/query/metrics/metrics.h"

namespace weft::query {

Statistics measure_latencies(const store::Trace& trace, const Selection& selection, GroupBy by,
                             const Work& work);
// Returns the latency of a link with both ends, at its send.
std::optional<int64_t> latency_value(const store::Trace&, const store::Row& row,
                                     const store::Record& record, TimeRange range);

}  // namespace weft::query
