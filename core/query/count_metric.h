// Number of events, of any category; every event has the value 1.
#pragma once

#include "core/query/metrics.h"

namespace weft::query {

Statistics measure_counts(const store::Trace& trace, const Selection& selection, GroupBy by,
                          ThreadPool& pool);

}  // namespace weft::query
