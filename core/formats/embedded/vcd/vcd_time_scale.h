// Converts a dump's times to ticks: dumps may count tenths, hundreds and thousands of units, and
// femtoseconds. Of those, units of at least a picosecond are rounded down to picoseconds; a smaller
// unit, which no time base has, is a tick.
#pragma once

#include <fmt/core.h>

#include <cstdint>
#include <optional>

#include "core/base/time.h"
#include "core/trace/event_sink.h"

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

// Tells the sink; a scale below a picosecond becomes one of ticks.
inline void say(TimeScale& scale, trace::EventSink& sink) {
  constexpr double kFemtoseconds = 1000;
  if (scale.base == TimeBase::kPicoseconds && scale.times < scale.divided_by) {
    const double length = static_cast<double>(scale.times) / static_cast<double>(scale.divided_by);
    sink.set_metadata("one tick", fmt::format("{:g} fs", length * kFemtoseconds));
    scale = {.base = TimeBase::kTicks};
  }
  sink.set_time_base(scale.base);
}

}  // namespace weft::formats::vcd
