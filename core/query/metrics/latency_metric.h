// Time from send to receive of the links that have both ends; by the lane that sends. Negative
// where the clocks of the two ends disagree.
#pragma once

#include "core/query/metrics/metrics.h"

namespace weft::query {

Statistics measure_latencies(const store::Trace& trace, const Selection& selection, GroupBy by,
                             const Work& work);
// Of links that have both ends, by their send.
std::optional<int64_t> latency_value(const store::Trace&, const store::Row& row,
                                     const store::Record& record, TimeRange range);

}  // namespace weft::query
