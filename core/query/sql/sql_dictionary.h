// The tables of what events refer to: lanes, types, and parameters one by one.
#pragma once

#include <memory>

#include "core/query/sql/sql_module.h"

namespace weft::query {

std::unique_ptr<SqlTable> make_sql_lanes(std::shared_ptr<const store::Trace> trace);
std::unique_ptr<SqlTable> make_sql_types(std::shared_ptr<const store::Trace> trace);
// One row per parameter of each distinct set: nested ones by names with dots. A condition on id
// (events' params_id) goes straight there.
std::unique_ptr<SqlTable> make_sql_params(std::shared_ptr<const store::Trace> trace);

}  // namespace weft::query
