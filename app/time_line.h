// The time line that coupled traces share: where a tick of one lies on it, and in another.
//
//   trace A   |--------------|            offset 0
//   trace B        |----------------|     its ticks, moved by its offset
//   line      0 ........................  picoseconds, on A's clock
//
// A trace whose base has no relation to seconds (cycles, ticks) lies on it as if it counted
// nanoseconds. Plain arithmetic, exact to a tick of the trace asked for; saturating. It knows no
// session: who shares a line with whom is Session's business.
#pragma once

#include "app/time_window.h"
#include "core/base/time.h"

namespace weft::app {

// How a trace's ticks lie on the line.
struct OnLine {
  TimeBase base = TimeBase::kNanoseconds;
  Duration offset;  // added to the trace's times, in its ticks
  bool operator==(const OnLine&) const = default;
};

// What lies at the same place of the line; rounded down to a tick, of a range outwards.
Time on_line(Time t, const OnLine& from, const OnLine& to);
TimeRange on_line(TimeRange range, const OnLine& from, const OnLine& to);
TimeWindow on_line(const TimeWindow& window, const OnLine& from, const OnLine& to);
// A length, which no offset changes; a fraction of a tick is kept.
double ticks_on_line(double ticks, TimeBase from, TimeBase to);

}  // namespace weft::app
