// The metric "time in states": how long, how often, and how much of it is self time.
//
// Self time is the time not covered by states one level deeper on the same lane. These count even
// if the filter rejects their type: a filter decides what is listed, not what ran.
#pragma once

#include "core/query/metrics/metrics.h"

namespace weft::query {

Statistics measure_durations(const store::Trace& trace, const Selection& selection, GroupBy by,
                             const Work& work);
// Returns the length of a state, clipped to the range.
std::optional<int64_t> duration_value(const store::Trace&, const store::Row& row,
                                      const store::Record& record, TimeRange range);

}  // namespace weft::query
