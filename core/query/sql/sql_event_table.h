// The tables of events: one row for each event of some categories.
//
// Conditions on time, duration, depth, lane and type (comparisons with values, joined by AND)
// become bounds of the scan: rows of the store that cannot match are left out, the rest is entered
// by binary search. SQLite checks every condition again, so a bound may be wide, never narrow.
// ORDER BY time alone is answered by a merge of the rows, without sorting; GROUP BY and DISTINCT of
// a lane or a type alone by giving what belongs together together.
#pragma once

#include <memory>

#include "core/query/sql/sql_event_columns.h"
#include "core/query/sql/sql_module.h"

namespace weft::query {

// `kind` is one of event_table_kinds().
std::unique_ptr<SqlTable> make_sql_event_table(const EventTableKind& kind,
                                               std::shared_ptr<const store::Trace> trace);

}  // namespace weft::query
