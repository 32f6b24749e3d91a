// A table as comma-separated values (also semicolons, tabulators or bars, RFC 4180's quotes), and
// what its columns mean, by their names.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/formats/base/decimal_time.h"
#include "core/trace/event_types.h"

namespace weft::formats::csv {

enum class Meaning : uint8_t {
  kParameter,  // no special meaning
  kTime,
  kEnd,
  kDuration,
  kCategory,
  kLane,
  kOuterLane,  // the parent lane: the process of a thread, the device of a stream
  kType,
  kDepth,
  kTargetLane,
  kTargetTime,
  kValue,
  kParams,
  kPayload,
  kTypeGroup,
  kDate,  // the date of a time that is in another column
  kCall,  // whether the row begins or ends a state: "Enter", "Leave"
  kTimeBase,
};
inline constexpr size_t kMeanings = static_cast<size_t>(Meaning::kTimeBase) + 1;

struct Column {
  std::string name;
  Meaning meaning = Meaning::kParameter;
  std::optional<DecimalUnit> unit;  // unit of a time: "time_us", "time [us]"
};

// Returns the separator of a header's cells.
char separator_of(std::string_view header);
// Whether a line may precede a header: an empty one; a comment ("# …") that is not itself the
// header; "sep=;", as spreadsheets write it; "==77== Profiling result:" of nvprof; "Processing
// [a.sqlite] with [cuda_gpu_trace.py]..." of nsys.
bool is_note(std::string_view line);
// Parses a unit, such as "us", which nvprof writes below the name of a column, or "(us)".
std::optional<DecimalUnit> unit_named(std::string_view word);
std::string_view without_brackets(std::string_view word);

// "milliseconds".
std::string_view name_of(DecimalUnit unit);

// Replaces decimal commas by points; only if commas separate no cells.
void use_points(std::string& number);

// Splits a line into copies of its cells (csv_cells.h).
bool split(std::string_view line, char separator, std::vector<std::string>& out, char quote = '"');

// The cells of some rows.
using Rows = std::vector<std::vector<std::string>>;

// Parses a header; each meaning occurs at most once. Of several columns with names of one meaning,
// the first one is chosen whose cells are like it in the first rows, if there are any.
std::vector<Column> columns_of(std::string_view header, char separator, const Rows& rows = {});
// The columns of a table with a header, by its first rows as well; empty if the header is not
// whole.
std::vector<Column> columns_in(std::string_view head);
// Whether a word says that a state begins ("Enter") or ends ("Leave"); nullopt: neither.
std::optional<bool> begins_call(std::string_view word);

bool is_time(Meaning meaning);  // a point or a duration
// Returns the unit of time columns whose names give none: another column's; nullopt: unknown.
std::optional<DecimalUnit> unit_of_times(const std::vector<Column>& columns);

// Whether the columns are those of events: a time, and a lane or a type.
bool is_trace(const std::vector<Column>& columns);
// Whether the columns are those of a log, by a column of messages or levels.
bool is_log(const std::vector<Column>& columns);
// Whether a row says the units of the columns, as those of oscilloscopes do below the header.
bool is_row_of_units(const std::vector<Column>& columns, std::string_view row, char separator);
// Whether the columns are measurements: a time, and columns that are numbers in the first row.
bool is_table_of_values(const std::vector<Column>& columns, std::string_view first_row,
                        char separator);

// Returns the columns of a table without a header: a number that never falls, and numbers. Empty if
// it is none, or too short to tell.
std::vector<Column> nameless_columns(std::string_view head);
// Whether the lines are rows that begin with a number, without a header.
bool begins_with_row(std::string_view head);

// What a column of categories says of a row: "state", or Pajé's "State".
std::optional<trace::Category> category_named(std::string_view word);

}  // namespace weft::formats::csv
