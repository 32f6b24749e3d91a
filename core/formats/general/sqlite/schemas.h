// The meaning of tables in known databases: a query for each, whose column names tell their role.
// Columns whose name begins with "@" have a meaning; all others are parameters.
//
//   @time, @end or @duration    integers in nanoseconds or reals in seconds (TableQuery::units)
//   @process, @lane, @below     where it was: up to three levels, any may be missing
//   @type, @group               what it was
//   @value                      a variable's sample
//   @to_process, @to_lane, @to_below, @to_time   a link's other end
//   @is_begin                   1: a state begins, 0: the lane's last one ends
//   @payload                    bytes of an event
//   @args                       a JSON object of parameters
//   @color                      0xRRGGBB of its type; what is above it counts for nothing
//   @causes, @caused_by         a number that two events share: a link between them
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/time.h"
#include "core/formats/base/decimal_time.h"
#include "core/formats/general/sqlite/database.h"

namespace weft::formats::sqlite {

struct TableQuery {
  std::string table;  // for what is lost
  std::string sql;
  // Units of the times of an unknown table, by role ("@time"); empty: integers and reals have
  // different units.
  std::map<std::string_view, DecimalUnit> units = {};
  bool has_dates = false;  // times may be text of a date, or of a time of day
};

struct Plan {
  std::string_view program;  // who made it; empty: unknown
  TimeBase base = TimeBase::kNanoseconds;
  std::vector<TableQuery> queries;         // those that cause before those that are caused
  std::vector<std::string> not_read = {};  // tables that are left out, which is said
};

// Returns an empty plan if no table holds a trace.
Plan plan_of(const Database& database);

}  // namespace weft::formats::sqlite
