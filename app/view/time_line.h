// The time line that coupled traces share: converts ticks of one trace to places on the line and to
// ticks of another trace.
//
//   trace A   |--------------|            offset 0
//   trace B        |----------------|     its ticks, moved by its offset
//   line      0 ........................  picoseconds, on A's clock
//
// A trace whose clock runs slower or faster than the line is stretched to it, then moved.
//
// A trace whose base has no relation to seconds (cycles, ticks) is placed as if it counted
// nanoseconds. Plain arithmetic, exact to a tick of the target trace; saturating. Which traces
// share a line is decided by Session.
#pragma once

#include "app/view/time_window.h"
#include "core/base/time.h"

namespace weft::app {

// `line` ticks pass on the line while the trace's clock counts `own`. Both are positive, and
// neither exceeds kMost times the other.
struct ClockRate {
  static constexpr int64_t kMost = 1'000;
  int64_t line = 1, own = 1;
  bool operator==(const ClockRate&) const = default;

  double factor() const { return static_cast<double>(line) / static_cast<double>(own); }
  bool is_valid() const {
    return line > 0 && own > 0 && line / kMost <= own && own / kMost <= line;
  }
};

// How a trace's ticks are placed on the line.
struct OnLine {
  TimeBase base = TimeBase::kNanoseconds;
  Duration offset;  // added to the times after stretching, in the trace's ticks
  ClockRate rate = {};
  bool operator==(const OnLine&) const = default;
};

// Converts from the ticks of one trace to the same place in another's; times are rounded down to a
// tick, ranges outwards.
Time on_line(Time t, const OnLine& from, const OnLine& to);
TimeRange on_line(TimeRange range, const OnLine& from, const OnLine& to);
TimeWindow on_line(const TimeWindow& window, const OnLine& from, const OnLine& to);
// shift_of(): how much later `t` lies on the line than by its own clock, in ticks. shifted(): the
// placement for which that is `shift`. Both hold for one time only, since stretching a clock moves
// every time by a different amount.
Duration shift_of(Time t, const OnLine& place);
OnLine shifted(OnLine place, Time t, Duration shift);
// Converts a length, which no offset changes; fractions of a tick are kept.
double ticks_on_line(double ticks, const OnLine& from, const OnLine& to);

}  // namespace weft::app
