// Where nothing happens: the stretches that time compression cuts out.
//
// Read from the aggregation tree, at the resolution of the answer: O(rows · columns), whatever the
// number of events. Work for workers. Conservative: a stretch holds no part of any event, but as
// much as a column of the grid beside an event may be missing from it.
#pragma once

#include <span>
#include <stop_token>
#include <vector>

#include "core/base/strong_id.h"
#include "core/base/time.h"
#include "core/store/trace.h"

namespace weft::query {

// The columns that the trace is looked at in, at most; there are at most a third as many stretches.
inline constexpr uint32_t kIdleColumns = 16 * 1024;

// At least `least` long, in order, within the trace's range; no event of the rows lies in any, and
// some air is left around events. Where there is none at all, nothing is idle. In very long traces
// short stretches are not seen: those below five columns of the grid. Stopped: nothing.
std::vector<TimeRange> idle_stretches(const store::Trace& trace, std::span<const RowId> rows,
                                      Duration least, const std::stop_token& stop);

}  // namespace weft::query
