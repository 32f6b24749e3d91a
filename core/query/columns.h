// Columns of a row of states for a selection: aggregate::columns, with or without a filter.
#pragma once

#include <cstdint>
#include <vector>

#include "core/aggregate/columns.h"
#include "core/query/selection.h"
#include "core/store/trace.h"

namespace weft::query {

// Fails if `range` cannot be divided into `count` columns; the error says why.
Status check_columns(TimeRange range, uint32_t count);

// Divides the selection's range into `count` equal columns (see check_columns()). Exact. Read from
// the tree, or, if the filter rejects part of the row, from its records: O(columns + records in the
// range).
std::vector<aggregate::Column> columns(const store::Trace& trace, const store::Row& row,
                                       const Selection& selection, uint32_t count);

}  // namespace weft::query
