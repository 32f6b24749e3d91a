// The tables that events refer to: lanes, types, and single parameters.
#pragma once

#include <memory>

#include "core/query/sql/sql_module.h"

namespace weft::query {

std::unique_ptr<SqlTable> make_sql_lanes(store::TracePtr trace);
std::unique_ptr<SqlTable> make_sql_types(store::TracePtr trace);
// Makes a table with one row per parameter of each distinct set; nested ones have dotted names. A
// condition on id (events' params_id) is a direct look-up.
std::unique_ptr<SqlTable> make_sql_params(store::TracePtr trace);

}  // namespace weft::query
