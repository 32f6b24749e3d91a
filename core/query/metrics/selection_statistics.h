// Statistics of a time range and a set of lanes, by type and by lane: the table below a selected
// range.
//
// Defined as the metric "duration" (metrics.h): states, clipped to the range. Exact in every
// figure. The records of the selection are read twice, on all threads. Percentiles take longer and
// are queried apart (percentiles.h).
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

// Returns nullopt if stopped.
std::optional<SelectionStatistics> measure_selection(const store::Trace& trace,
                                                     const Selection& selection, const Work& work);

}  // namespace weft::query
