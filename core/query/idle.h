// Finds idle stretches, which time compression cuts out.
//
// Reads the aggregation tree at the resolution of the answer: O(rows · columns), whatever the
// number of events. Rows of which a filter takes a part are read record by record, except where
// something has been found already. The ends of stretches are then looked at more finely, unless
// they are very many. Call from workers. Conservative: a stretch contains no part of an event, but
// may end up to two grid columns before the next.
#pragma once

#include <span>
#include <vector>

#include "core/aggregate/filter.h"
#include "core/base/strong_id.h"
#include "core/base/time.h"
#include "core/query/work.h"
#include "core/store/trace.h"

namespace weft::query {

// The columns that the trace is looked at in, at most; there are at most a third as many stretches.
inline constexpr uint32_t kIdleColumns = 16 * 1024;

// Returns stretches of at least `least`, in order, within the trace's range, in which no event of
// `rows` lies that passes the filter (null: everything passes); a margin is left around events.
// Empty if there are no such events at all, or if stopped. In very long traces, stretches below
// five grid columns are not found.
std::vector<TimeRange> idle_stretches(const store::Trace& trace, std::span<const RowId> rows,
                                      Duration least, const aggregate::FilterPtr& filter,
                                      const Work& work);

}  // namespace weft::query
