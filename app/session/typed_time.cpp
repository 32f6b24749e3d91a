#include "app/session/typed_time.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <optional>
#include <string>

#include "app/base/calendar.h"
#include "core/base/clock_text.h"

namespace weft::app {
namespace {

// Seconds since 1970 of a time of a day, as far from `day`'s as `days` says.
int64_t seconds_of(std::tm day, int days, int64_t second, bool is_local) {
  day.tm_mday += days;
  set_second_of_day(day, second);
  return seconds_since_1970(day, is_local);
}

// "2026-05-01", and the time of the day that stands behind it: " 14:03", "T14:03" or nothing.
std::optional<std::tm> take_date(std::string_view& text) {
  constexpr size_t kLength = std::string_view("2026-05-01").size();
  std::tm date{};
  int length = 0;
  if (std::sscanf(std::string(text.substr(0, kLength)).c_str(), "%4d-%2d-%2d%n", &date.tm_year,
                  &date.tm_mon, &date.tm_mday, &length) != 3 ||
      length != static_cast<int>(kLength))
    return std::nullopt;
  const std::string_view rest = text.substr(kLength);
  if (!rest.empty() && rest[0] != ' ' && rest[0] != 'T') return std::nullopt;
  text = rest.substr(rest.empty() ? 0 : 1);
  date.tm_year -= 1900;
  date.tm_mon -= 1;
  return date;
}

Result<Time> time_on_the_calendar(std::string_view text, const OpenTrace& trace) {
  const int64_t per_second = ticks_per_second(trace.time_base());
  const bool is_local = trace.time_display.origin == TimeOrigin::kLocal;
  std::string_view clock = text;
  const std::optional<std::tm> date = take_date(clock);
  if (date && clock.empty()) clock = "00:00";
  const std::string seconds = std::ranges::count(clock, ':') == 1 ? ":00" : "";
  WEFT_TRY_ASSIGN(const Duration since,
                  parse_duration(std::string(clock) + seconds, trace.time_base()));
  if (since.ticks < 0 || since.ticks / per_second >= kDaySeconds)
    return fail(fmt::format("'{}' is no time of day", text));
  const auto on = [&](const std::tm& day, int days) {
    const int64_t whole = seconds_of(day, days, since.ticks / per_second, is_local);
    return Time{whole * per_second + since.ticks % per_second};
  };
  if (date) {
    const Time time = on(*date, 0);
    // Clocks that are put forward pass over an hour.
    const std::tm shown = calendar_at(time.ticks / per_second, is_local);
    if (second_of_day(shown) != since.ticks / per_second)
      return fail(fmt::format("'{}' is no time there: clocks are put forward then", text));
    return time;
  }
  const std::tm day = calendar_at(trace.view().window.range().begin.ticks / per_second, is_local);
  for (const int days : {0, 1, -1}) {
    const Time time = on(day, days);
    if (trace.reach().contains(time)) return time;
  }
  return on(day, 0);
}

}  // namespace

bool shows_calendar(const OpenTrace& trace) {
  return trace.time_display.origin != TimeOrigin::kTrace &&
         reads_as_clock(trace.time_display, trace.reach(), trace.time_base());
}

Result<Time> typed_time(std::string_view text, const OpenTrace& trace) {
  const TimeRange range = trace.reach();
  constexpr std::string_view kOfRulers = "abcdefghijklmnopqrstuvwxyz:";
  const bool is_since_begin = text.starts_with('+');
  const bool is_calendar = shows_calendar(trace);
  std::string_view behind_date = text;
  if (is_calendar && !is_since_begin && (text.contains(':') || take_date(behind_date)))
    return time_on_the_calendar(text, trace);
  if (is_since_begin || text.find_first_of(kOfRulers) == std::string_view::npos)
    return parse_time(text, range, trace.time_base());
  WEFT_TRY_ASSIGN(const Duration since, parse_duration(text, trace.time_base()));
  return (is_calendar ? range.begin : origin_of(trace.time_display, range)) + since;
}

Result<TimeRange> typed_range(std::string_view text, const OpenTrace& trace) {
  const size_t dots = text.find("..");
  if (dots == std::string_view::npos) return fail("a range has its two times on either side of ..");
  const auto trimmed = [](std::string_view part) {
    part.remove_prefix(std::min(part.find_first_not_of(' '), part.size()));
    return part.substr(0, part.find_last_not_of(' ') + 1);
  };
  std::string from(trimmed(text.substr(0, dots)));
  const std::string_view to = trimmed(text.substr(dots + 2));
  // In "1.2..1.5s", the first time has the unit of the second.
  const std::string_view unit = to.substr(to.find_last_of("0123456789. ") + 1);
  if (from.find_first_not_of("0123456789.+-") == std::string::npos && is_time_unit(unit))
    from += unit;
  TimeRange range;
  WEFT_TRY_ASSIGN(range.begin, typed_time(from, trace));
  WEFT_TRY_ASSIGN(range.end, typed_time(to, trace));
  if (range.end <= range.begin) return fail("the end must be after the begin");
  return range;
}

Status is_within(TimeRange place, const OpenTrace& trace) {
  const TimeRange all = trace.reach();
  if (place.begin <= all.end && place.end >= all.begin) return {};
  const auto said = [&](Time time) {  // to the tick: what is rounded may lie outside
    return time_label(trace.time_display, time, all, trace.time_base(), all.length(), Duration{1});
  };
  return fail(fmt::format("outside of the trace, which is from {} to {}", said(all.begin),
                          said(all.end - Duration{1})));
}

Result<TimeRange> typed_place(std::string_view text, const OpenTrace& trace) {
  TimeRange place;
  if (text.contains("..")) {
    WEFT_TRY_ASSIGN(place, typed_range(text, trace));
  } else {
    WEFT_TRY_ASSIGN(place.begin, typed_time(text, trace));
    place.end = place.begin;
  }
  const Status found = is_within(place, trace);
  if (found) return place;
  // "1.7", where the ruler says "1.7 s".
  const bool has_unit = text.find_first_not_of("0123456789., ") != std::string_view::npos;
  return fail(found.error().message +
              (has_unit ? "" : "; a number without a unit counts ticks of its clock"));
}

}  // namespace weft::app
