// How points and lengths of time read, everywhere: one setting for all views.
//
// A trace's time is ticks of its own clock. What people want to see is the time since the trace
// began, the clock's own count, or the calendar, where that clock counts from 1970 as most
// recorders do; where it plainly does not (or is not in seconds), the clock's count stands in.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/time.h"

namespace weft::app {

enum class TimeOrigin : uint8_t { kTrace, kClock, kUtc, kLocal };
enum class TimeUnit : uint8_t { kAuto, kSeconds, kMilliseconds, kMicroseconds, kNanoseconds };

struct TimeDisplay {
  TimeOrigin origin = TimeOrigin::kTrace;
  TimeUnit unit = TimeUnit::kAuto;
  bool operator==(const TimeDisplay&) const = default;
};

std::string_view name_of(TimeOrigin origin);  // "trace", "clock", "utc", "local"
std::string_view name_of(TimeUnit unit);      // "auto", "s", "ms", "us", "ns"
std::optional<TimeOrigin> time_origin_from_name(std::string_view name);
std::optional<TimeUnit> time_unit_from_name(std::string_view name);

// What the labels of a trace count from: its begin, or 0.
Time origin_of(const TimeDisplay& display, TimeRange trace);

// Whether labels read as a clock does: on the calendar, and, since the trace's begin, "1:23:45"
// where the trace is ten minutes long or longer and no unit is asked for.
bool reads_as_clock(const TimeDisplay& display, TimeRange trace, TimeBase base);

// `span` is the length of what is looked at, `resolution` the least step that must be told apart;
// see format_time. On the calendar the date stands before it where the trace has several days.
std::string time_label(const TimeDisplay& display, Time t, TimeRange trace, TimeBase base,
                       Duration span, Duration resolution);
// "2024-02-29"; empty where times are not on the calendar.
std::string date_label(const TimeDisplay& display, Time t, TimeRange trace, TimeBase base);
// The same at a tick of a ruler: on the calendar the time of a day or, at its begin, its date.
std::string ruler_label(const TimeDisplay& display, Time t, TimeRange trace, TimeBase base,
                        Duration span, Duration step);
// Where a ruler's steps count from: as labels do or, on the calendar of a place, from a midnight
// there, as its clocks are set `near` a time.
Time ruler_origin(const TimeDisplay& display, TimeRange trace, TimeBase base, Time near);
// Where steps of hours, days, weeks from Monday, months and years (clock_text.h) begin on the
// calendar, as a ruler takes them: the first at or after a time. Empty where times are not on the
// calendar.
std::function<Time(Time, Duration step)> ruler_calendar(const TimeDisplay& display, TimeRange trace,
                                                        TimeBase base);

// A length in the unit that is asked for, with as many significant digits as are asked for, but all
// whole ones; where no unit is, or a tick is no part of a second, as format_duration has it.
std::string length_label(const TimeDisplay& display, Duration d, TimeBase base, int digits = 4);
// The same as a cell of a column, so that points stand below each other: three digits behind them,
// or as many as ticks tell; all that ticks tell where a unit is asked for.
std::string length_cell(const TimeDisplay& display, Duration d, TimeBase base);

}  // namespace weft::app
