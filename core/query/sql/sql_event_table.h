// SQL tables with one row for each event of some categories.
//
// Conditions on time, duration, depth, lane and type (comparisons with values, joined by AND)
// become bounds of the scan: store rows that cannot match are skipped, the rest is entered by
// binary search. SQLite rechecks every condition, so a bound may be too wide but never too narrow.
// ORDER BY time alone is answered by merging the rows, without sorting; GROUP BY and DISTINCT of a
// lane or type alone by giving equal values consecutively.
#pragma once

#include <memory>

#include "core/query/sql/sql_event_columns.h"
#include "core/query/sql/sql_module.h"

namespace weft::query {

// `kind` is one of event_table_kinds().
std::unique_ptr<SqlTable> make_sql_event_table(const EventTableKind& kind, store::TracePtr trace);

}  // namespace weft::query
