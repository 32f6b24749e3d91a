// Durations in clock notation, shared by rulers, tables and tooltips.
#pragma once

#include <cstdint>
#include <string>

namespace weft {

inline constexpr int64_t kDaySeconds = 86'400;
// Nominal lengths, for labelling calendar steps: real months have 28 to 31 days, real years 365 or
// 366.
inline constexpr int64_t kWeekDays = 7, kMonthDays = 30, kYearDays = 12 * kMonthDays;
// The shortest duration that is shown in clock notation.
inline constexpr int64_t kClockFromSeconds = 600;

// Returns "1:23:45", or "2 d 3:00:00" if `has_days`. parse_duration() reads both.
std::string clock_text(uint64_t seconds, bool has_days);

}  // namespace weft
