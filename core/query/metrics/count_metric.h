// The metric "number of events", of any category; every event has the value 1.
#pragma once

#include "core/query/metrics/metrics.h"

namespace weft::query {

Statistics measure_counts(const store::Trace& trace, const Selection& selection, GroupBy by,
                          const Work& work);
// Returns 1 for every event.
std::optional<int64_t> count_value(const store::Trace&, const store::Row& row,
                                   const store::Record& record, TimeRange range);

}  // namespace weft::query
