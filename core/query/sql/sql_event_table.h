// The tables of events: one row for each event of some categories.
//
// Conditions on time, duration, depth, lane and type (comparisons with values, joined by AND)
// become bounds of the scan: rows of the store that cannot match are left out, the rest is entered
// by binary search. SQLite checks every condition again, so a bound may be wide, never narrow.
// ORDER BY time alone is answered by a merge of the rows, without sorting.
#pragma once

#include <memory>
#include <span>

#include "core/query/sql/sql_module.h"

namespace weft::query {

// "events", "states", "punctuals", "links", "variables".
std::span<const char* const> sql_event_tables();

std::unique_ptr<SqlTable> make_sql_event_table(std::string_view name,
                                               std::shared_ptr<const store::Trace> trace);

}  // namespace weft::query
