// What a range of time and a set of lanes add up to, by type and by lane: the table below a
// selected range.
//
// The definitions are those of the metric "duration" (metrics.h): states, cut to the range. Exact
// in every figure. Cost: the records of the selection are read twice, on all threads. Percentiles
// take longer, and are another question (percentiles.h).
#pragma once

#include <optional>

#include "core/query/metrics/metrics.h"
#include "core/query/selection.h"
#include "core/query/work.h"
#include "core/store/trace.h"

namespace weft::query {

struct SelectionStatistics {
  Statistics by_type;
  Statistics by_lane;
};

// None where it was stopped.
std::optional<SelectionStatistics> measure_selection(const store::Trace& trace,
                                                     const Selection& selection, const Work& work);

}  // namespace weft::query
