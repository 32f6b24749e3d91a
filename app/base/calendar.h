// Conversion between seconds since 1970 and calendar fields, by the C library: in UTC, or in the
// local time zone.
//
// Where local clocks are put back, as at the end of summer time, an hour comes twice: two times
// have the same fields, and are told apart by what their zones are called.
#pragma once

#include <cstdint>
#include <ctime>
#include <optional>
#include <string>

namespace weft::app {

inline std::tm calendar_at(int64_t seconds_since_1970, bool is_local) {
  const auto when = static_cast<std::time_t>(seconds_since_1970);
  std::tm at{};
  is_local ? localtime_r(&when, &at) : gmtime_r(&when, &at);
  return at;
}

// The inverse of calendar_at(); of two times with these fields the first. Fields may lie beyond
// their bounds, such as a 32nd of January.
int64_t seconds_since_1970(std::tm at, bool is_local);

// The other time with the same fields; nullopt: there is none.
std::optional<int64_t> twin_of(int64_t seconds_since_1970, bool is_local);
// What tells a time from its twin: "CEST" or, where names of zones do not, "+02:00"; empty if it
// has no twin.
std::string zone_beside_twin(int64_t seconds_since_1970, bool is_local);
// "+02:00", for seconds east of UTC.
std::string offset_text(int64_t seconds);

inline int64_t second_of_day(const std::tm& at) {
  return (at.tm_hour * int64_t{60} + at.tm_min) * 60 + at.tm_sec;
}

inline void set_second_of_day(std::tm& at, int64_t second) {
  at.tm_hour = static_cast<int>(second / 3600);
  at.tm_min = static_cast<int>(second / 60 % 60);
  at.tm_sec = static_cast<int>(second % 60);
}

}  // namespace weft::app
