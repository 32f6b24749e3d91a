// How many events of a selection begin in each of n equal parts of its range.
#pragma once

#include <cstdint>
#include <vector>

#include "core/base/thread_pool.h"
#include "core/query/selection.h"
#include "core/store/trace.h"

namespace weft::query {

// The parts are those of aggregate::bin_of(). Exact: the bins sum to the events
// that begin in the range. O(1) for all events in parts of the absolute power-of-two grid that are
// no finer than the trace's totals; else O(bins + log n) per row, from the tree; O(n) for rows of
// which a filter takes a part, and for received links where some lack their send.
std::vector<uint64_t> density(const store::Trace& trace, const Selection& selection, uint32_t bins,
                              ThreadPool& pool);

}  // namespace weft::query
