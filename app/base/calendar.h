// Conversion between seconds since 1970 and calendar fields, by the C library: in UTC, or in the
// local time zone.
#pragma once

#include <cstdint>
#include <ctime>

namespace weft::app {

inline std::tm calendar_at(int64_t seconds_since_1970, bool is_local) {
  const auto when = static_cast<std::time_t>(seconds_since_1970);
  std::tm at{};
  is_local ? localtime_r(&when, &at) : gmtime_r(&when, &at);
  return at;
}

// The inverse of calendar_at(). Fields may lie beyond their bounds, such as a 32nd of January.
inline int64_t seconds_since_1970(std::tm at, bool is_local) {
  at.tm_isdst = -1;
  return is_local ? std::mktime(&at) : timegm(&at);
}

inline int64_t second_of_day(const std::tm& at) {
  return (at.tm_hour * int64_t{60} + at.tm_min) * 60 + at.tm_sec;
}

inline void set_second_of_day(std::tm& at, int64_t second) {
  at.tm_hour = static_cast<int>(second / 3600);
  at.tm_min = static_cast<int>(second / 60 % 60);
  at.tm_sec = static_cast<int>(second % 60);
}

}  // namespace weft::app
