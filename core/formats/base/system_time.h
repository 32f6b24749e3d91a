// Windows SYSTEMTIME: eight 16-bit numbers, to the millisecond.
#pragma once

#include <chrono>
#include <cstdint>

#include "core/base/time.h"

namespace weft::formats {

// Takes a SYSTEMTIME off `fields`, which has little<uint16_t>(). Returns nanoseconds since 1970, as
// if UTC; 0 if it is not a date or of an impossible year.
template <class Fields>
Time take_system_time(Fields& fields) {
  using namespace std::chrono;
  const auto next = [&] { return fields.template little<uint16_t>(); };
  const year year{next()};
  const month month{next()};
  next();  // the day of the week
  const year_month_day date{year, month, day{next()}};
  const hours hour{next()};
  const minutes minute{next()};
  const seconds second{next()};
  const milliseconds fraction{next()};
  if (!date.ok() || year < 1970y || year > 2200y) return {0};
  return {
      nanoseconds(sys_days(date).time_since_epoch() + hour + minute + second + fraction).count()};
}

}  // namespace weft::formats
