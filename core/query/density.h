// The number of a selection's events that begin in each of n equal parts of its range.
#pragma once

#include <cstdint>
#include <vector>

#include "core/query/selection.h"
#include "core/query/work.h"
#include "core/store/trace.h"

namespace weft::query {

// Returns the counts for the parts of aggregate::bin_of(). Exact: they sum to the events that begin
// in the range. O(1) for all events in parts of the absolute power-of-two grid no finer than the
// trace's totals; otherwise O(bins + log n) per row, from the tree; O(n) for rows that a filter
// passes in part, and for received links if some lack their send. Once it is stopped, which it asks
// for every block that it reads, the counts are partial.
std::vector<uint64_t> density(const store::Trace& trace, const Selection& selection, uint32_t bins,
                              const Work& work);

}  // namespace weft::query
