// How times and durations are written, everywhere: one setting for all views.
//
// A trace's times are ticks of its own clock. People want to see the time since the trace began,
// the count of the clock, or the calendar, if the clock counts from 1970, as most recorders do. If
// it plainly does not, or does not count seconds, the clock's count is shown instead.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "core/base/seconds_unit.h"
#include "core/base/time.h"

namespace weft::app {

enum class TimeOrigin : uint8_t { kTrace, kClock, kUtc, kLocal };
enum class TimeUnit : uint8_t { kAuto, kSeconds, kMilliseconds, kMicroseconds, kNanoseconds };

struct TimeDisplay {
  TimeOrigin origin = TimeOrigin::kTrace;
  TimeUnit unit = TimeUnit::kAuto;
  bool operator==(const TimeDisplay&) const = default;
};

// The time from which labels of a trace count: its begin, or 0.
Time origin_of(const TimeDisplay& display, TimeRange trace);

// Whether labels look like a clock: on the calendar, and, counting from the trace's begin, as
// "1:23:45" if the trace is ten minutes long or longer and no unit is set.
bool reads_as_clock(const TimeDisplay& display, TimeRange trace, TimeBase base);

// The label of a time. `span`: the length of the range on display; `resolution`: the smallest step
// that must be distinguishable; see format_time. On the calendar, the date comes first if the trace
// has several days, and the zone last in an hour that comes twice, since clocks are put back
// ("02:30 CEST").
std::string time_label(const TimeDisplay& display, Time t, TimeRange trace, TimeBase base,
                       Duration span, Duration resolution);
// The unit in which time_label() counts; nullopt: ticks.
std::optional<SecondsUnit> unit_of_labels(const TimeDisplay& display, TimeRange trace,
                                          TimeBase base, Duration span);
// "2024-02-29"; empty if times are not on the calendar.
std::string date_label(const TimeDisplay& display, Time t, TimeRange trace, TimeBase base);
// The label at a tick of a ruler: on the calendar, the time of day or, at the beginning of a day,
// the date.
std::string ruler_label(const TimeDisplay& display, Time t, TimeRange trace, TimeBase base,
                        Duration span, Duration step);
// The time from which a ruler counts its steps: that of the labels or, on the local calendar, a
// midnight, by the offset that local clocks have `near` a time.
Time ruler_origin(const TimeDisplay& display, TimeRange trace, TimeBase base, Time near);
// Rounds up to steps of hours, days, weeks from Monday, months and years (clock_text.h) on the
// calendar: the function returns the first step at or after a time. Empty if times are not on the
// calendar.
std::function<Time(Time, Duration step)> ruler_calendar(const TimeDisplay& display, TimeRange trace,
                                                        TimeBase base);

// A duration in the unit that is set, with `digits` significant digits but never fewer than its
// integral part has; without a unit, or if a tick is not a fraction of a second, as
// format_duration() writes it.
std::string length_label(const TimeDisplay& display, Duration d, TimeBase base, int digits = 4);
// A duration as a cell of a column, with decimal points aligned: three decimals, or fewer if ticks
// are coarser; every decimal that ticks have if a unit is set.
std::string length_cell(const TimeDisplay& display, Duration d, TimeBase base);

// Writes the durations of a column in one unit, so that they are compared at a glance: the largest
// in which a short one still has two digits. Those too short for it have a unit of their own. Like
// length_cell() if a unit is set.
class LengthColumn {
 public:
  // `low`: above 0, and such that only few are shorter, `most`: the longest; both 0 if there is
  // none.
  LengthColumn(const TimeDisplay& display, TimeBase base, Duration low, Duration most);
  std::string cell(Duration d) const;
  // Of an estimate: "≈ 67.1 ms", three digits.
  std::string estimate(Duration d) const;

 private:
  SecondsUnit unit_for_cell(Duration d) const;

  TimeDisplay display_;
  TimeBase base_;
  SecondsUnit unit_ = kSecondsUnits[0];
};

}  // namespace weft::app
