// The time line that coupled traces share: where a tick of one lies on it, and in another.
//
//   trace A   |--------------|            offset 0
//   trace B        |----------------|     its ticks, moved by its offset
//   line      0 ........................  picoseconds, on A's clock
//
// A trace whose clock runs slower or faster than the line is stretched to it, then moved.
//
// A trace whose base has no relation to seconds (cycles, ticks) lies on it as if it counted
// nanoseconds. Plain arithmetic, exact to a tick of the trace asked for; saturating. It knows no
// session: who shares a line with whom is Session's business.
#pragma once

#include "app/view/time_window.h"
#include "core/base/time.h"

namespace weft::app {

// `line` ticks pass on the line while the trace's clock counts `own`. Both are above 0, and none is
// more than kMost times the other.
struct ClockRate {
  static constexpr int64_t kMost = 1'000;
  int64_t line = 1, own = 1;
  bool operator==(const ClockRate&) const = default;

  double factor() const { return static_cast<double>(line) / static_cast<double>(own); }
  bool is_valid() const {
    return line > 0 && own > 0 && line / kMost <= own && own / kMost <= line;
  }
};

// How a trace's ticks lie on the line.
struct OnLine {
  TimeBase base = TimeBase::kNanoseconds;
  Duration offset;  // added to the trace's times when they are stretched, in its ticks
  ClockRate rate = {};
  bool operator==(const OnLine&) const = default;
};

// What lies at the same place of the line; rounded down to a tick, of a range outwards.
Time on_line(Time t, const OnLine& from, const OnLine& to);
TimeRange on_line(TimeRange range, const OnLine& from, const OnLine& to);
TimeWindow on_line(const TimeWindow& window, const OnLine& from, const OnLine& to);
// By how much a time of a trace lies later than its clock has it, in its ticks, and the place where
// it lies so much later: of one time, since a stretched clock has them all lie elsewhere.
Duration shift_of(Time t, const OnLine& place);
OnLine shifted(OnLine place, Time t, Duration shift);
// A length, which no offset changes; a fraction of a tick is kept.
double ticks_on_line(double ticks, const OnLine& from, const OnLine& to);

}  // namespace weft::app
