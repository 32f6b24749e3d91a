#include "app/base/time_display.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <utility>

#include "app/base/calendar.h"
#include "core/base/clock_text.h"
#include "core/base/saturating.h"
#include "core/base/seconds_unit.h"
#include "core/base/text.h"

namespace weft::app {
namespace {

// Clocks that count from 1970 say a time between these two.
constexpr int64_t kYear1990 = 631'152'000;
constexpr int64_t kYear2100 = 4'102'444'800;
constexpr int kMostDecimals = 9;
constexpr int kMostLengthDecimals = 12;  // picoseconds, in seconds

// The unit that is set; not for kAuto.
SecondsUnit unit_of(TimeUnit unit) {
  return kSecondsUnits[static_cast<size_t>(unit) - static_cast<size_t>(TimeUnit::kSeconds)];
}

// The decimals that tell `ticks` apart, counted in units of `ticks_per_unit`.
int decimals_for(int64_t ticks, double ticks_per_unit) {
  int decimals = 0;
  for (double step = static_cast<double>(std::max<int64_t>(1, ticks)) / ticks_per_unit;
       step < 0.999 && decimals < kMostDecimals; step *= 10) {
    ++decimals;
  }
  return decimals;
}

// A time in the unit, exact: without floating point.
std::string in_unit(Time t, SecondsUnit unit, int64_t per_second, Duration resolution) {
  const int decimals = decimals_for(
      resolution.ticks, static_cast<double>(per_second) / static_cast<double>(unit.per_second));
  Wide scaled = Wide{t.ticks} * unit.per_second;
  int64_t power = 1;
  for (int i = 0; i < decimals; ++i) power *= 10;
  const bool is_negative = scaled < 0;
  if (is_negative) scaled = -scaled;
  const auto whole = static_cast<uint64_t>(scaled / per_second);
  const auto rest = static_cast<uint64_t>(scaled % per_second * power / per_second);
  std::string text = (is_negative ? "-" : "") + format_count(whole);
  if (decimals > 0) text += fmt::format(".{:0{}}", rest, decimals);
  return text + " " + std::string(unit.sign);
}

bool counts_from_1970(TimeRange trace, int64_t per_second) {
  const int64_t begin = per_second > 0 ? trace.begin.ticks / per_second : 0;
  return begin >= kYear1990 && begin < kYear2100;
}

// A time as shown by a clock, with its date.
struct Calendar {
  std::tm at{};
  int64_t ticks = 0;    // of the second
  int64_t seconds = 0;  // since 1970
  bool is_local = false;

  Calendar(Time t, TimeOrigin origin, int64_t per_second)
      : ticks(t.ticks % per_second),
        seconds(t.ticks / per_second),
        is_local(origin == TimeOrigin::kLocal) {
    if (ticks < 0) {
      ticks += per_second;
      --seconds;
    }
    at = calendar_at(seconds, is_local);
  }
  bool is_midnight() const {
    return at.tm_hour == 0 && at.tm_min == 0 && at.tm_sec == 0 && ticks == 0;
  }
  bool is_same_day(const Calendar& other) const {
    return at.tm_year == other.at.tm_year && at.tm_yday == other.at.tm_yday;
  }
  std::string date() const {
    return fmt::format("{:04}-{:02}-{:02}", at.tm_year + 1900, at.tm_mon + 1, at.tm_mday);
  }
  // " CEST" in an hour that comes twice, since clocks are put back; else empty.
  std::string zone() const {
    const std::string zone = zone_beside_twin(seconds, is_local);
    return zone.empty() ? zone : " " + zone;
  }
  // "14:03:12.250"; "14:03" where only minutes are told apart.
  std::string time_of_day(int64_t per_second, Duration resolution) const {
    std::string text = fmt::format("{:02}:{:02}", at.tm_hour, at.tm_min);
    if (resolution.ticks / per_second >= 60) return text;
    text += fmt::format(":{:02}", at.tm_sec);
    if (const int decimals = decimals_for(resolution.ticks, static_cast<double>(per_second))) {
      Wide fraction = ticks;
      for (int i = 0; i < decimals; ++i) fraction *= 10;
      text += fmt::format(".{:0{}}", static_cast<uint64_t>(fraction / per_second), decimals);
    }
    return text;
  }
};

// The begins of a step on the calendar, one by one.
class CalendarStep {
 public:
  // At the last one that is not after `at`.
  CalendarStep(std::tm at, int64_t step_seconds)
      : at_(at), seconds_(step_seconds), days_(step_seconds / kDaySeconds) {
    set_second_of_day(at_, days_ > 0 ? 0 : second_of_day(at_) / seconds_ * seconds_);
    if (days_ == kWeekDays) at_.tm_mday -= (at_.tm_wday + 6) % 7;
    if (days_ < kMonthDays) return;
    set_month(month() / months() * months());
  }
  void advance() {
    if (days_ >= kMonthDays) return set_month(month() + months());
    if (days_ > 0) {
      at_.tm_mday += static_cast<int>(days_);
      return;
    }
    const int64_t next = second_of_day(at_) + seconds_;
    at_.tm_mday += next < kDaySeconds ? 0 : 1;
    set_second_of_day(at_, next < kDaySeconds ? next : 0);
  }
  // Seconds since 1970; where there are two such times, the first.
  int64_t time(TimeOrigin origin) const {
    return seconds_since_1970(at_, origin == TimeOrigin::kLocal);
  }
  // Whether it may come twice where clocks are put back: days do not.
  bool may_come_twice() const { return days_ == 0; }

 private:
  int64_t months() const { return days_ / kMonthDays; }
  int64_t month() const { return (at_.tm_year + 1900) * int64_t{12} + at_.tm_mon; }
  void set_month(int64_t since_year_0) {
    at_.tm_year = static_cast<int>(since_year_0 / 12) - 1900;
    at_.tm_mon = static_cast<int>(since_year_0 % 12);
    at_.tm_mday = 1;
  }

  std::tm at_;
  int64_t seconds_, days_;
};

Time first_on_calendar(Time t, TimeOrigin origin, int64_t per_second, Duration step) {
  CalendarStep begin(Calendar(t, origin, per_second).at, step.ticks / per_second);
  // Around a change of the clocks, the right step is not the next but the one after it.
  constexpr int kMostSteps = 4;
  const auto ticks_of = [&](int64_t seconds) {
    return Time{saturated(Wide{seconds} * per_second)};
  };
  for (int i = 0; i < kMostSteps; ++i, begin.advance()) {
    const int64_t seconds = begin.time(origin);
    if (ticks_of(seconds) >= t) return ticks_of(seconds);
    if (!begin.may_come_twice()) continue;
    const auto twin = twin_of(seconds, origin == TimeOrigin::kLocal);
    if (twin && ticks_of(*twin) >= t) return ticks_of(*twin);
  }
  return Time::max();  // no calendar reaches so far
}

bool is_on_the_calendar(const TimeDisplay& display, TimeRange trace, int64_t per_second) {
  const bool is_wished = display.origin == TimeOrigin::kUtc || display.origin == TimeOrigin::kLocal;
  return is_wished && counts_from_1970(trace, per_second);
}

// "1:23:45.5"; "2 d 3:00:00" where the trace has days, "2 d" where only days are told apart.
std::string on_the_clock(Time since, int64_t per_second, Duration trace, Duration resolution) {
  const bool is_negative = since.ticks < 0;
  const uint64_t ticks =
      is_negative ? 0 - static_cast<uint64_t>(since.ticks) : static_cast<uint64_t>(since.ticks);
  const uint64_t seconds = ticks / static_cast<uint64_t>(per_second);
  Wide fraction = ticks % static_cast<uint64_t>(per_second);
  std::string text = is_negative ? "-" : "";
  const bool has_days = trace.ticks / per_second >= 2 * kDaySeconds;
  if (has_days && resolution.ticks / per_second >= kDaySeconds)
    return text + fmt::format("{} d", seconds / kDaySeconds);
  text += clock_text(seconds, has_days);
  if (const int decimals = decimals_for(resolution.ticks, static_cast<double>(per_second))) {
    for (int i = 0; i < decimals; ++i) fraction *= 10;
    text += fmt::format(".{:0{}}", static_cast<uint64_t>(fraction / per_second), decimals);
  }
  return text;
}

}  // namespace

Time origin_of(const TimeDisplay& display, TimeRange trace) {
  return display.origin == TimeOrigin::kTrace ? trace.begin : Time{0};
}

bool reads_as_clock(const TimeDisplay& display, TimeRange trace, TimeBase base) {
  const int64_t per_second = ticks_per_second(base);
  if (per_second == 0) return false;
  if (is_on_the_calendar(display, trace, per_second)) return true;
  return display.origin == TimeOrigin::kTrace && display.unit == TimeUnit::kAuto &&
         trace.length().ticks / per_second >= kClockFromSeconds;
}

std::string time_label(const TimeDisplay& display, Time t, TimeRange trace, TimeBase base,
                       Duration span, Duration resolution) {
  const int64_t per_second = ticks_per_second(base);
  if (is_on_the_calendar(display, trace, per_second)) {
    const Calendar at(t, display.origin, per_second);
    const bool has_one_day = Calendar(trace.begin, display.origin, per_second)
                                 .is_same_day({trace.end, display.origin, per_second});
    return (has_one_day ? "" : at.date() + " ") + at.time_of_day(per_second, resolution) +
           at.zone();
  }
  const Time since = {(t - origin_of(display, trace)).ticks};
  if (reads_as_clock(display, trace, base))
    return on_the_clock(since, per_second, trace.length(), resolution);
  if (display.unit == TimeUnit::kAuto || per_second <= 0) {
    return format_time(since, base, span, resolution);
  }
  return in_unit(since, unit_of(display.unit), per_second, resolution);
}

std::optional<SecondsUnit> unit_of_labels(const TimeDisplay& display, TimeRange trace,
                                          TimeBase base, Duration span) {
  const int64_t per_second = ticks_per_second(base);
  if (per_second == 0) return std::nullopt;
  if (reads_as_clock(display, trace, base)) return kSecondsUnits[0];
  const SecondsUnit unit =
      display.unit == TimeUnit::kAuto
          ? unit_for(static_cast<double>(span.ticks) / static_cast<double>(per_second))
          : unit_of(display.unit);
  return unit.per_second > per_second ? std::nullopt : std::optional(unit);
}

std::string date_label(const TimeDisplay& display, Time t, TimeRange trace, TimeBase base) {
  const int64_t per_second = ticks_per_second(base);
  if (!is_on_the_calendar(display, trace, per_second)) return {};
  return Calendar(t, display.origin, per_second).date();
}

std::string ruler_label(const TimeDisplay& display, Time t, TimeRange trace, TimeBase base,
                        Duration span, Duration step) {
  const int64_t per_second = ticks_per_second(base);
  if (!is_on_the_calendar(display, trace, per_second))
    return time_label(display, t, trace, base, span, step);
  const Calendar at(t, display.origin, per_second);
  return (at.is_midnight() ? at.date() : at.time_of_day(per_second, step)) + at.zone();
}

Time ruler_origin(const TimeDisplay& display, TimeRange trace, TimeBase base, Time near) {
  const int64_t per_second = ticks_per_second(base);
  if (display.origin != TimeOrigin::kLocal || !is_on_the_calendar(display, trace, per_second))
    return origin_of(display, trace);
  return {-Calendar(near, display.origin, per_second).at.tm_gmtoff * per_second};
}

std::function<Time(Time, Duration)> ruler_calendar(const TimeDisplay& display, TimeRange trace,
                                                   TimeBase base) {
  const int64_t per_second = ticks_per_second(base);
  if (!is_on_the_calendar(display, trace, per_second)) return {};
  return [origin = display.origin, per_second](Time t, Duration step) {
    return first_on_calendar(t, origin, per_second, step);
  };
}

std::string length_label(const TimeDisplay& display, Duration d, TimeBase base, int digits) {
  const int64_t per_second = ticks_per_second(base);
  if (display.unit == TimeUnit::kAuto || per_second <= 0) return format_duration(d, base, digits);
  const SecondsUnit unit = unit_of(display.unit);
  const double value = static_cast<double>(d.ticks) / static_cast<double>(per_second) *
                       static_cast<double>(unit.per_second);
  const int before = value == 0 ? 1 : static_cast<int>(std::floor(std::log10(std::abs(value)))) + 1;
  const int decimals = std::clamp(digits - before, 0, kMostLengthDecimals);
  std::string text = fmt::format("{:.{}f}", value, decimals);
  if (decimals > 0) {
    text.erase(text.find_last_not_of('0') + 1);
    if (text.ends_with('.')) text.pop_back();
  }
  return with_groups(std::move(text)) + " " + std::string(unit.sign);
}

namespace {

// Rounded to three decimals, or fewer where ticks or `least_step` are coarser.
std::string rounded_in(Duration d, SecondsUnit unit, int64_t per_second, int64_t least_step = 1) {
  const int64_t step = std::max(least_step, per_second / unit.per_second / 1000);
  const int64_t half = d.ticks < 0 ? -(step / 2) : step / 2;
  return in_unit({(d.ticks + half) / step * step}, unit, per_second, {step});
}

// The ticks that the last of so many digits stands for.
int64_t step_of_digits(Duration d, int digits) {
  int64_t step = 1, beyond = 1;
  for (int i = 0; i < digits; ++i) beyond *= 10;
  while (d.ticks / step >= beyond || d.ticks / step <= -beyond) step *= 10;
  return step;
}

}  // namespace

std::string length_cell(const TimeDisplay& display, Duration d, TimeBase base) {
  const int64_t per_second = ticks_per_second(base);
  if (per_second <= 0) return format_duration(d, base);
  if (display.unit != TimeUnit::kAuto)
    return in_unit({d.ticks}, unit_of(display.unit), per_second, {1});
  const double seconds = std::abs(static_cast<double>(d.ticks)) / static_cast<double>(per_second);
  if (d.ticks == 0 || seconds >= kClockFromSeconds) return format_duration(d, base);
  return rounded_in(d, unit_for(seconds), per_second);
}

LengthColumn::LengthColumn(const TimeDisplay& display, TimeBase base, Duration low, Duration most)
    : display_(display), base_(base) {
  const int64_t per_second = ticks_per_second(base);
  if (per_second <= 0 || most.ticks <= 0) return;
  constexpr double kTwoDigits = 100;  // thousandths of the unit, at least
  const auto seconds = [&](Duration d) {
    return static_cast<double>(d.ticks) / static_cast<double>(per_second);
  };
  unit_ = unit_for(std::min(kTwoDigits * seconds(low), seconds(most)));
}

SecondsUnit LengthColumn::unit_for_cell(Duration d) const {
  if (display_.unit != TimeUnit::kAuto) return unit_of(display_.unit);
  constexpr double kTwoDigits = 0.01;
  const double seconds =
      std::abs(static_cast<double>(d.ticks)) / static_cast<double>(ticks_per_second(base_));
  const bool is_too_short =
      d.ticks != 0 && seconds * static_cast<double>(unit_.per_second) < kTwoDigits;
  return is_too_short ? unit_for(seconds) : unit_;
}

std::string LengthColumn::cell(Duration d) const {
  const bool has_unit = display_.unit != TimeUnit::kAuto || ticks_per_second(base_) <= 0;
  if (has_unit) return length_cell(display_, d, base_);
  return rounded_in(d, unit_for_cell(d), ticks_per_second(base_));
}

std::string LengthColumn::estimate(Duration d) const {
  constexpr int kDigits = 3;
  const int64_t per_second = ticks_per_second(base_);
  if (per_second <= 0) return "≈ " + length_label(display_, d, base_, kDigits);
  return "≈ " + rounded_in(d, unit_for_cell(d), per_second, step_of_digits(d, kDigits));
}

}  // namespace weft::app
