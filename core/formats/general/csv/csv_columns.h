// A table as comma-separated values (also semicolons, tabulators or bars, RFC 4180's quotes), and
// what its columns mean, by their names.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/formats/base/decimal_time.h"

namespace weft::formats::csv {

enum class Meaning : uint8_t {
  kParameter,  // what has no meaning of its own
  kTime,
  kEnd,
  kDuration,
  kCategory,
  kLane,
  kOuterLane,  // that the lane lies in: the process of a thread, the device of a stream
  kType,
  kDepth,
  kTargetLane,
  kTargetTime,
  kValue,
  kParams,
  kPayload,
  kTypeGroup,
  kDate,  // of the time, which stands in a column of its own
  kTimeBase,
};
inline constexpr size_t kMeanings = static_cast<size_t>(Meaning::kTimeBase) + 1;

struct Column {
  std::string name;
  Meaning meaning = Meaning::kParameter;
  std::optional<DecimalUnit> unit;  // of a time: "time_us", "time [us]"
};

// The sign that separates the cells of a header.
char separator_of(std::string_view header);
// Of what may stand before a header: nothing; "sep=;", as spreadsheets write it, says the same to
// them; "==77== Profiling result:" is nvprof's, "Processing [a.sqlite] with [cuda_gpu_trace.py]..."
// that of nsys.
bool is_note(std::string_view line);
// "us", which nvprof writes below the name of a column.
std::optional<DecimalUnit> unit_named(std::string_view word);

// Numbers whose fraction follows a comma get a point; only where commas separate no cells.
void use_points(std::string& number);

// The cells of a line, quotes taken away. False where a quote stays open: the line goes on.
bool split(std::string_view line, char separator, std::vector<std::string>& out, char quote = '"');

// The columns of a header; each meaning at most once.
std::vector<Column> columns_of(std::string_view header, char separator);

bool is_time(Meaning meaning);  // a point, or a length
// What the times of a table are whose column names no unit: another time's; none: nobody says.
std::optional<DecimalUnit> unit_of_times(const std::vector<Column>& columns);

// Whether the columns are those of events: a time, and a lane or a type.
bool is_trace(const std::vector<Column>& columns);
// Whether they are those of measurements: a time, and columns that are numbers in the first row.
bool is_table_of_values(const std::vector<Column>& columns, std::string_view first_row,
                        char separator);

// The columns of a table whose first line is a row already: a number that never falls, and numbers.
// Empty: it is none, or too short to be sure.
std::vector<Column> nameless_columns(std::string_view head);
// Whether times of which nobody names the unit are seconds: some of the first rows have fractions,
// and all fit a trace as seconds. `nameless`: the columns of a table without a header; else none.
bool are_seconds(std::string_view head, const std::vector<Column>& nameless);
// Whether the lines are rows of a table with a number in the first: nobody says what is what.
bool begins_with_row(std::string_view head);

}  // namespace weft::formats::csv
