// Parses times as people type them while looking at a trace: as its rulers show them, and as
// parse_time() reads them.
#pragma once

#include <string_view>

#include "app/session/session.h"

namespace weft::app {

// Whether the trace's rulers show the calendar: times of day.
bool shows_calendar(const OpenTrace& trace);

// A leading "+" counts from the trace's begin, "%" is a share of the trace, a whole number is ticks
// of its clock; one with a decimal point has the unit of the window's ruler. With a unit, or in
// clock form, a time counts from where the rulers count. If these show the calendar, a unit counts
// from the trace's begin; "14:03:12.5" and "14:03" are a time of day, on the day on which the
// window begins or, if that lies outside the trace, on the day before or after; "2026-05-01 14:03"
// is on that day. Behind a time of day may stand its zone: "02:30 CEST", "02:30+02:00", "00:30Z";
// without one, of two such times (see calendar.h) the first is meant, or the one that lies in the
// trace.
Result<Time> typed_time(std::string_view text, const OpenTrace& trace);
// A length with a unit, in ticks or, with a decimal point, in the unit of the window's ruler.
Result<Duration> typed_length(std::string_view text, const OpenTrace& trace);
// Says so of a time, or of one in a range, that is one of two; else empty.
std::string note_on(std::string_view text, const OpenTrace& trace);
// "1.2s..1.5s", "14:03 .. 14:05": from one time to another; a unit for both may stand at the end
// only ("1.2..1.5s").
Result<TimeRange> typed_range(std::string_view text, const OpenTrace& trace);
// A range, or a time as an empty range.
Result<TimeRange> typed_place(std::string_view text, const OpenTrace& trace);
// An error if `place` lies outside the trace.
Status is_within(TimeRange place, const OpenTrace& trace);

}  // namespace weft::app
