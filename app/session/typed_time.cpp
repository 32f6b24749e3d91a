#include "app/session/typed_time.h"

#include <fmt/core.h>

#include <algorithm>
#include <ctime>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/base/calendar.h"
#include "core/base/ascii.h"
#include "core/base/clock_text.h"
#include "core/base/numbers.h"
#include "core/base/saturating.h"
#include "core/base/text.h"

namespace weft::app {
namespace {

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

// What stands behind a time of day: " CEST", "+02:00", "Z"; empty: nothing.
std::string take_zone(std::string& clock) {
  const auto begins_zone = [](char c) { return is_letter(c) || c == '+' || c == '-'; };
  const auto zone = std::ranges::find_if(clock, begins_zone);
  if (zone == clock.begin()) return {};
  std::string taken(zone, clock.end());
  clock.erase(zone, clock.end());
  for (std::string* text : {&taken, &clock}) text->erase(text->find_last_not_of(' ') + 1);
  return taken;
}

// Seconds east of UTC of "+02:00", "+0200", "-5".
std::optional<int64_t> offset_from(std::string_view zone) {
  const bool is_west = zone.starts_with('-');
  if (!is_west && !zone.starts_with('+')) return std::nullopt;
  std::string digits(zone.substr(1));
  if (digits.size() == 5 && digits[2] == ':') digits.erase(2, 1);
  const auto number = parse_number<int>(digits);
  if (!number || *number < 0 || digits.size() > 4 || digits.size() == 3) return std::nullopt;
  const int64_t hours = digits.size() == 4 ? *number / 100 : *number;
  const int64_t minutes = digits.size() == 4 ? *number % 100 : 0;
  return (is_west ? -60 : 60) * (hours * 60 + minutes);
}

// A zone by its name, as local clocks have it about that time, in summer or in winter.
Result<int64_t> offset_of(const std::string& zone, int64_t about, bool is_local) {
  if (const auto offset = offset_from(zone)) return *offset;
  const std::string wanted = lower_case(zone);
  if (wanted == "z" || wanted == "utc" || wanted == "gmt") return 0;
  std::string known;
  for (const int64_t quarters : {0, 1, -1, 2}) {  // of a year: summer time has more than two
    if (!is_local) break;
    constexpr int64_t kQuarter = 91 * kDaySeconds;
    const std::tm at = calendar_at(about + quarters * kQuarter, is_local);
    if (lower_case(at.tm_zone) == wanted) return at.tm_gmtoff;
    if (!known.contains(at.tm_zone)) known += std::string(at.tm_zone) + ", ";
  }
  return fail(fmt::format("'{}' is not a time zone here: there are {}UTC and offsets as +02:00",
                          printable(zone, 40), known));
}

struct TypedClock {
  Time time;
  std::string note;  // what goes on behind its text, if it is one of two times
};

// Reads a time of day, on the day or days that are possible.
class ClockReader {
 public:
  ClockReader(const OpenTrace& trace, std::string zone, Duration since_midnight)
      : trace_(trace),
        is_local_(trace.time_display.origin == TimeOrigin::kLocal),
        per_second_(ticks_per_second(trace.time_base())),
        zone_(std::move(zone)),
        since_(since_midnight) {}

  Result<TypedClock> on(std::tm day) const {
    set_second_of_day(day, since_.ticks / per_second_);
    const int64_t first = seconds_since_1970(day, is_local_);
    if (!zone_.empty()) {
      WEFT_TRY_ASSIGN(const int64_t offset, offset_of(zone_, first, is_local_));
      return TypedClock{time_of(seconds_since_1970(day, /*is_local=*/false) - offset), {}};
    }
    const std::optional<int64_t> second = twin_of(first, is_local_);
    if (!second) return TypedClock{time_of(first), {}};
    const TimeRange all = trace_.reach();
    if (!all.contains(time_of(first)) && all.contains(time_of(*second)))
      return TypedClock{time_of(*second), {}};
    return TypedClock{
        time_of(first),
        fmt::format("comes twice: the first is meant ({}); with {} behind it, the second",
                    zone_beside_twin(first, is_local_), zone_beside_twin(*second, is_local_))};
  }
  // Whether clocks pass over it, since they are put forward then.
  bool is_passed_over(Time time) const {
    const std::tm shown = calendar_at(time.ticks / per_second_, is_local_);
    return zone_.empty() && second_of_day(shown) != since_.ticks / per_second_;
  }

 private:
  Time time_of(int64_t seconds) const {
    return {saturated(Wide{seconds} * per_second_ + since_.ticks % per_second_)};
  }

  const OpenTrace& trace_;
  bool is_local_;
  int64_t per_second_;
  std::string zone_;
  Duration since_;
};

Result<TypedClock> time_on_the_calendar(std::string_view text, const OpenTrace& trace) {
  const int64_t per_second = ticks_per_second(trace.time_base());
  std::string_view behind = text;
  const std::optional<std::tm> date = take_date(behind);
  std::string clock(date && behind.empty() ? "00:00" : behind);
  std::string zone = take_zone(clock);
  if (std::ranges::count(clock, ':') == 1) clock += ":00";
  WEFT_TRY_ASSIGN(const Duration since, parse_duration(clock, trace.time_base()));
  if (since.ticks < 0 || since.ticks / per_second >= kDaySeconds)
    return fail(fmt::format("'{}' is not a time of day", text));
  const ClockReader reader(trace, std::move(zone), since);
  if (date) {
    WEFT_TRY_ASSIGN(TypedClock typed, reader.on(*date));
    if (reader.is_passed_over(typed.time))
      return fail(fmt::format("'{}' is not a time there: clocks are put forward then", text));
    return typed;
  }
  const bool is_local = trace.time_display.origin == TimeOrigin::kLocal;
  std::tm day = calendar_at(trace.view().window.range().begin.ticks / per_second, is_local);
  WEFT_TRY_ASSIGN(const TypedClock on_that_day, reader.on(day));
  if (trace.reach().contains(on_that_day.time)) return on_that_day;
  for (const int days : {1, -1}) {
    std::tm other = day;
    other.tm_mday += days;
    WEFT_TRY_ASSIGN(TypedClock typed, reader.on(other));
    if (trace.reach().contains(typed.time)) return typed;
  }
  return on_that_day;
}

bool is_on_the_calendar(std::string_view text, const OpenTrace& trace) {
  if (!shows_calendar(trace) || text.starts_with('+')) return false;
  return text.contains(':') || take_date(text);
}

// Nobody means a part of a tick: "0.5" is what the ruler says.
std::string with_unit_of_ruler(std::string_view text, const OpenTrace& trace) {
  const bool is_decimal = text.contains('.') &&
                          text.find_first_of("0123456789") != std::string_view::npos &&
                          text.find_first_not_of("0123456789.,+-") == std::string_view::npos;
  if (!is_decimal) return std::string(text);
  const auto unit = unit_of_labels(trace.time_display, trace.reach(), trace.time_base(),
                                   trace.view().window.range().length());
  return std::string(text) + std::string(unit ? unit->sign : "");
}

// "1.2s" and "1.5s" of "1.2s .. 1.5s"; empty: it is not a range.
std::vector<std::string_view> ends_of(std::string_view text) {
  const size_t dots = text.find("..");
  if (dots == std::string_view::npos) return {};
  return {trimmed(text.substr(0, dots)), trimmed(text.substr(dots + 2))};
}

}  // namespace

bool shows_calendar(const OpenTrace& trace) {
  return trace.time_display.origin != TimeOrigin::kTrace &&
         reads_as_clock(trace.time_display, trace.reach(), trace.time_base());
}

Result<Time> typed_time(std::string_view written, const OpenTrace& trace) {
  const std::string text = with_unit_of_ruler(written, trace);
  const TimeRange range = trace.reach();
  constexpr std::string_view kOfRulers = "abcdefghijklmnopqrstuvwxyz:";
  const bool is_since_begin = text.starts_with('+');
  if (is_on_the_calendar(text, trace)) {
    WEFT_TRY_ASSIGN(const TypedClock typed, time_on_the_calendar(text, trace));
    return typed.time;
  }
  // Shares are of the time from the first begin to the last end, as those of the sub-commands are:
  // the reach is a tick longer.
  if (is_since_begin || text.find_first_of(kOfRulers) == std::string::npos)
    return parse_time(text, {range.begin, range.end - Duration{1}}, trace.time_base());
  WEFT_TRY_ASSIGN(const Duration since, parse_duration(text, trace.time_base()));
  return (shows_calendar(trace) ? range.begin : origin_of(trace.time_display, range)) + since;
}

Result<Duration> typed_length(std::string_view text, const OpenTrace& trace) {
  return parse_duration(with_unit_of_ruler(text, trace), trace.time_base());
}

std::string note_on(std::string_view text, const OpenTrace& trace) {
  std::vector<std::string_view> times = ends_of(text);
  if (times.empty()) times = {text};
  for (const std::string_view time : times) {
    if (!is_on_the_calendar(time, trace)) continue;
    const auto typed = time_on_the_calendar(time, trace);
    if (typed && !typed->note.empty()) return printable(time, 40) + " " + typed->note;
  }
  return {};
}

Result<TimeRange> typed_range(std::string_view text, const OpenTrace& trace) {
  const auto ends = ends_of(text);
  if (ends.empty()) return fail("a range has its two times on either side of ..");
  std::string from(ends[0]);
  const std::string_view to = ends[1];
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
  // "17", where the ruler says "17 s".
  const bool has_unit = text.find_first_not_of("0123456789, ") != std::string_view::npos;
  return fail(found.error().message +
              (has_unit ? "" : "; a number without a unit counts ticks of its clock"));
}

}  // namespace weft::app
