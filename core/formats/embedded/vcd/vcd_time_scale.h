// Converts a dump's times to ticks: dumps may count tenths, hundreds and thousands of units, and
// femtoseconds, which are rounded down to picoseconds.
#pragma once

#include <cstdint>
#include <optional>

#include "core/base/time.h"

namespace weft::formats::vcd {

struct TimeScale {
  TimeBase base = TimeBase::kNanoseconds;
  int64_t times = 1, divided_by = 1;

  struct Ticks {
    Time time;
    bool is_rounded;
  };
  std::optional<Ticks> ticks_of(int64_t value) const {
    int64_t ticks = 0;
    if (__builtin_mul_overflow(value, times, &ticks)) return std::nullopt;
    return Ticks{{ticks / divided_by}, ticks % divided_by != 0};
  }
};

}  // namespace weft::formats::vcd
