// What a range of time and a set of lanes add up to, by type and by lane: the table below a
// selected range.
//
// The definitions are those of metrics.h ("duration"): states are clipped to the range. Exact in
// every figure; percentiles, too. Cost: every record of the selected rows in the range is read
// about three times, on all threads; memory is bounded, whatever the number of events
// (percentiles.h).
#pragma once

#include <optional>
#include <stop_token>

#include "core/base/thread_pool.h"
#include "core/query/metrics.h"
#include "core/query/selection.h"
#include "core/store/trace.h"

namespace weft::query {

struct SelectionStatistics {
  Statistics by_type;
  Statistics by_lane;
};

// None where it was stopped.
std::optional<SelectionStatistics> measure_selection(const store::Trace& trace,
                                                     const Selection& selection, ThreadPool& pool,
                                                     const std::stop_token& stop = {});

}  // namespace weft::query
