// Finds the year of a log whose lines give none: its last line is not later than the file's last
// change, and from December to January a year passes. A file is read once more for that, day by
// day; of a pipe only the head is known.
#pragma once

#include <optional>
#include <string_view>

#include "core/base/time.h"
#include "core/io/source.h"

namespace weft::formats::custom {

struct LogDay {
  int month = 0;  // 1 to 12
  int day = 0;
  bool operator==(const LogDay&) const = default;
};

// Parses the day of lines like "<13>Oct 3 22:14:15 …" and "10-03 22:14:15 …"; nullopt if the line
// begins with none.
std::optional<LogDay> day_of_line(std::string_view line);

// Returns the begin of the log's first day or, if no line begins with a day, a time before the
// first line. `changed` is the last change, to a day.
Time begin_of_log(io::Source& source, Time changed);

}  // namespace weft::formats::custom
