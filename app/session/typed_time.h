// Times as people type them where a trace is looked at: as its rulers say them, and as parse_time()
// reads them.
#pragma once

#include <string_view>

#include "app/session/session.h"

namespace weft::app {

// Whether its rulers show the calendar: times of day.
bool shows_calendar(const OpenTrace& trace);

// "+" counts from the trace's begin, "%" is a share of it, a plain number is ticks of its clock.
// With a unit, or as on a clock, it counts from where the rulers count. Where these show the
// calendar, a unit counts from the trace's begin, and "14:03:12.5" and "14:03" are a time of day:
// of the day on which the window begins or, where it lies outside the trace, of the one before or
// after; "2026-05-01 14:03" is of that day.
Result<Time> typed_time(std::string_view text, const OpenTrace& trace);
// "1.2s..1.5s", "14:03 .. 14:05": from one time to another; the unit of both may stand at the end
// alone ("1.2..1.5s").
Result<TimeRange> typed_range(std::string_view text, const OpenTrace& trace);
// What somebody wants to see: a range, or a time, as an empty one.
Result<TimeRange> typed_place(std::string_view text, const OpenTrace& trace);
// An error where the trace has nothing of it.
Status is_within(TimeRange place, const OpenTrace& trace);

}  // namespace weft::app
