// Time in states: how long, how often, and how much of it is their own.
//
// Self time is what the next depth of the same lane leaves uncovered. States of other types count
// as children also when a filter leaves their type out: a filter says what is listed, not what ran.
#pragma once

#include "core/query/metrics/metrics.h"

namespace weft::query {

Statistics measure_durations(const store::Trace& trace, const Selection& selection, GroupBy by,
                             const Work& work);
// The length of a state, cut to the range.
std::optional<int64_t> duration_value(const store::Trace&, const store::Row& row,
                                      const store::Record& record, TimeRange range);

}  // namespace weft::query
