// Lengths of time as clocks show them, the one way for rulers, tables and tooltips.
#pragma once

#include <cstdint>
#include <string>

namespace weft {

inline constexpr int64_t kDaySeconds = 86'400;
// What steps of a calendar are called by: a month has 28 to 31 days, a year 365 or 366.
inline constexpr int64_t kWeekDays = 7, kMonthDays = 30, kYearDays = 12 * kMonthDays;
// From here on lengths are written so.
inline constexpr int64_t kClockFromSeconds = 600;

// "1:23:45"; "2 d 3:00:00" where `has_days`. parse_duration() reads both.
std::string clock_text(uint64_t seconds, bool has_days);

}  // namespace weft
