// The columns of a row of states under a selection: aggregate::columns, and the same under a
// filter.
#pragma once

#include <cstdint>
#include <vector>

#include "core/aggregate/columns.h"
#include "core/query/selection.h"
#include "core/store/trace.h"

namespace weft::query {

// Why `range` cannot be cut into `count` columns; fine where it can.
Status check_columns(TimeRange range, uint32_t count);

// The selection's range cut into `count` equal columns (check_columns()). Exact. From the tree;
// where the filter leaves something of the row out, from the records: O(columns + records in the
// range).
std::vector<aggregate::Column> columns(const store::Trace& trace, const store::Row& row,
                                       const Selection& selection, uint32_t count);

}  // namespace weft::query
