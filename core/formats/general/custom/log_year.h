// Of which year a log is whose lines say none: its last line is not later than the log's last
// change, and from December to January a year passes. A file is read once more for it, day by day;
// of what comes through a pipe only the head is.
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

// "<13>Oct  3 22:14:15 …" and "10-03 22:14:15 …"; none: the line begins with no day.
std::optional<LogDay> day_of_line(std::string_view line);

// The begin of the log's first day, or where no line begins with one, a time that the first line is
// behind. `changed`: the last change, to a day.
Time begin_of_log(io::Source& source, Time changed);

}  // namespace weft::formats::custom
