#include "core/base/time.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <optional>

#include "core/base/ascii.h"
#include "core/base/clock_text.h"
#include "core/base/numbers.h"
#include "core/base/saturating.h"
#include "core/base/seconds_unit.h"
#include "core/base/text.h"

namespace weft {
namespace {

struct Unit {
  std::string_view name;
  long double seconds;
};
constexpr Unit kUnits[] = {{"ps", 1e-12L}, {"ns", 1e-9L},  {"us", 1e-6L},
                           {"µs", 1e-6L},  {"ms", 1e-3L},  {"s", 1.0L},
                           {"min", 60.0L}, {"h", 3600.0L}, {"d", 86400.0L}};
constexpr std::string_view kBaseNames[] = {"ns", "us", "ms", "s", "ps", "cycles", "ticks"};

std::optional<Unit> unit_from_name(std::string_view name) {
  for (const Unit& u : kUnits) {
    if (u.name == name) return u;
  }
  return std::nullopt;
}

std::string trimmed(double value, int digits) {
  std::string s = fmt::format("{:.{}f}", value, std::max(0, digits));
  if (s.find('.') != std::string::npos) {
    while (s.back() == '0') s.pop_back();
    if (s.back() == '.') s.pop_back();
  }
  return s;
}

struct Number {
  long double value;
  std::string_view rest;
};

std::optional<Number> leading_number(std::string_view text) {
  constexpr long double kMost = std::numeric_limits<double>::max();
  const auto value = take_number<long double>(text);  // which holds every tick of 64 bits
  if (!value || std::fabs(*value) > kMost) return std::nullopt;
  return Number{*value, text};
}

// "0:10:30.5": of the seconds as many digits as are asked for, but all whole ones.
std::string as_on_a_clock(Duration d, int64_t hz, int digits) {
  constexpr uint64_t kTwoDaysSeconds = uint64_t{2} * 86'400;
  uint64_t whole =
      d.ticks < 0 ? 0 - static_cast<uint64_t>(d.ticks) : static_cast<uint64_t>(d.ticks);
  const auto rest = static_cast<double>(whole % static_cast<uint64_t>(hz));
  whole /= static_cast<uint64_t>(hz);
  const int decimals = std::max(0, digits - static_cast<int>(std::to_string(whole).size()));
  std::string fraction = trimmed(rest / static_cast<double>(hz), decimals);
  if (fraction[0] == '1') ++whole;  // rounded up
  return (d.ticks < 0 ? "-" : "") + clock_text(whole, whole >= kTwoDaysSeconds) +
         fraction.substr(1);
}

// "3 cycles", "1 tick", "200,000 ticks": where a tick is not part of a second.
std::string counted_ticks(int64_t ticks, TimeBase base) {
  std::string_view name = name_of(base);
  if (ticks == 1 || ticks == -1) name.remove_suffix(1);
  return fmt::format("{} {}", format_signed_count(ticks), name);
}

// Removes the digit grouping of the first number, also in "1,234.5 ms"; other groupings are left as
// they are.
std::string without_groups(std::string_view text) {
  const size_t behind = text.find_first_not_of("0123456789,", text.starts_with('-') ? 1 : 0);
  const std::string_view number = text.substr(0, behind);
  std::string plain(number);
  std::erase(plain, ',');
  const auto value = parse_number<int64_t>(plain);
  if (!value || format_signed_count(*value) != number) return std::string(text);
  return plain.append(text.substr(number.size()));
}

// Removes the name of the unit after a count of ticks.
std::string_view without_unit(std::string_view text, TimeBase base) {
  const std::string_view name = name_of(base);
  for (const std::string_view unit : {name, name.substr(0, name.size() - 1)}) {
    if (!text.ends_with(unit)) continue;
    text.remove_suffix(unit.size());
    return text.substr(0, text.find_last_not_of(' ') + 1);
  }
  return text;
}

}  // namespace

std::string_view name_of(TimeBase base) { return kBaseNames[static_cast<size_t>(base)]; }

Result<TimeBase> time_base_from_name(std::string_view name) {
  for (size_t i = 0; i < std::size(kBaseNames); ++i) {
    if (kBaseNames[i] == name) return static_cast<TimeBase>(i);
  }
  return fail(fmt::format("'{}' is not a time base (ns, us, ms, s, ps, cycles, ticks)", name));
}

int64_t ticks_per_second(TimeBase base) {
  switch (base) {
    case TimeBase::kNanoseconds:
      return 1'000'000'000;
    case TimeBase::kMicroseconds:
      return 1'000'000;
    case TimeBase::kMilliseconds:
      return 1'000;
    case TimeBase::kSeconds:
      return 1;
    case TimeBase::kPicoseconds:
      return 1'000'000'000'000;
    case TimeBase::kCycles:
    case TimeBase::kTicks:
      return 0;
  }
  return 0;
}

std::string format_duration(Duration d, TimeBase base, int digits) {
  const int64_t hz = ticks_per_second(base);
  if (hz == 0) return counted_ticks(d.ticks, base);
  if (d.ticks == 0) return "0 s";
  const double seconds = static_cast<double>(d.ticks) / static_cast<double>(hz);
  const double magnitude = std::fabs(seconds);
  if (magnitude >= kClockFromSeconds) return as_on_a_clock(d, hz, digits);
  const SecondsUnit unit = unit_for(magnitude);
  const double value = seconds * static_cast<double>(unit.per_second);
  const int before = std::max(1, static_cast<int>(std::floor(std::log10(std::fabs(value)))) + 1);
  return fmt::format("{} {}", trimmed(value, digits - before), unit.sign);
}

std::string format_time(Time t, TimeBase base, Duration span, Duration resolution) {
  const int64_t hz = ticks_per_second(base);
  if (hz == 0) return counted_ticks(t.ticks, base);
  SecondsUnit unit = unit_for(static_cast<double>(span.ticks) / static_cast<double>(hz));
  // Whole units and the rest are kept apart, so that no digit is lost to floating point.
  if (hz < unit.per_second) unit = {0, hz, base == TimeBase::kMicroseconds ? "µs" : name_of(base)};
  const int64_t ticks_per_unit = hz / unit.per_second;
  const int64_t whole = t.ticks / ticks_per_unit;
  const int64_t rest = t.ticks % ticks_per_unit;
  const long double unit_resolution =
      static_cast<long double>(std::max<int64_t>(1, resolution.ticks)) /
      static_cast<long double>(ticks_per_unit);
  const int max_decimals =
      static_cast<int>(std::lround(std::log10(static_cast<double>(ticks_per_unit))));
  const int decimals =
      std::clamp(static_cast<int>(std::ceil(-std::log10(static_cast<double>(unit_resolution)))), 0,
                 max_decimals);
  int64_t shown = rest < 0 ? -rest : rest;
  for (int i = decimals; i < max_decimals; ++i) shown /= 10;
  const char* sign = t.ticks < 0 && whole == 0 ? "-" : "";
  if (decimals == 0) return fmt::format("{}{} {}", sign, format_signed_count(whole), unit.sign);
  return fmt::format("{}{}.{:0{}} {}", sign, format_signed_count(whole), shown, decimals,
                     unit.sign);
}

namespace {

// "1:23:45.5", "2 d 3:00:00", "83:45": as clocks show it, each part but the first below its carry.
std::optional<long double> seconds_from_clock(std::string_view text) {
  const bool is_negative = text.starts_with('-');
  if (is_negative) text.remove_prefix(1);
  const auto take = [&](std::string_view behind) -> std::optional<uint64_t> {
    const auto value = take_number<uint64_t>(text);
    if (!value || !text.starts_with(behind)) return std::nullopt;
    text.remove_prefix(behind.size());
    return value;
  };
  long double whole = 0;  // minutes
  if (text.contains(" d ")) {
    const auto days = take(" d ");
    if (!days) return std::nullopt;
    whole = static_cast<long double>(*days) * 24 * 60;
  }
  const auto first = take(":");
  if (!first) return std::nullopt;
  if (text.contains(':')) {
    const auto minutes = take(":");
    if (!minutes || *minutes >= 60) return std::nullopt;
    whole += static_cast<long double>(*first) * 60 + static_cast<long double>(*minutes);
  } else {
    whole += static_cast<long double>(*first);
  }
  const bool has_digit = !text.empty() && is_digit(text[0]);
  const auto seconds = has_digit ? leading_number(text) : std::nullopt;
  if (!seconds || !seconds->rest.empty() || seconds->value >= 60) return std::nullopt;
  return (is_negative ? -1 : 1) * (whole * 60 + seconds->value);
}

}  // namespace

bool is_time_unit(std::string_view text) { return unit_from_name(text).has_value(); }

Result<Duration> parse_duration(std::string_view written, TimeBase base) {
  const int64_t hz = ticks_per_second(base);
  const std::string plain = without_groups(hz == 0 ? without_unit(written, base) : written);
  const std::string_view text = plain;
  if (hz != 0 && text.contains(':')) {
    const auto seconds = seconds_from_clock(text);
    if (!seconds)
      return fail(fmt::format("'{}' is not a time as clocks show it (1:23:45.5)", text));
    return Duration{saturating_round(*seconds * static_cast<long double>(hz))};
  }
  if (const auto ticks = parse_number<int64_t>(text)) return Duration{*ticks};
  const auto number = leading_number(text);
  if (!number) return fail(fmt::format("'{}' is not a time", text));
  if (number->rest.empty()) {
    if (number->value != std::floor(number->value))
      return fail(fmt::format("'{}' is a part of a tick: give whole ticks, or a unit", text));
    return Duration{saturating_round(number->value)};
  }
  const size_t blanks = std::min(number->rest.find_first_not_of(' '), number->rest.size());
  const auto unit = unit_from_name(number->rest.substr(blanks));
  if (!unit)
    return fail(fmt::format("'{}' has an unknown unit (ps, ns, us, ms, s, min, h, d)", text));
  if (hz == 0)
    return fail(fmt::format("'{}': the trace counts {}, not seconds", text, name_of(base)));
  return Duration{saturating_round(number->value * unit->seconds * static_cast<long double>(hz))};
}

Result<Time> parse_time(std::string_view text, TimeRange trace, TimeBase base) {
  if (text.ends_with('%')) {
    const auto number = leading_number(text.substr(0, text.size() - 1));
    if (!number || !number->rest.empty()) return fail(fmt::format("'{}' is not a share", text));
    const auto span = static_cast<long double>(static_cast<uint64_t>(trace.end.ticks) -
                                               static_cast<uint64_t>(trace.begin.ticks));
    const long double share = span * number->value / 100;
    return Time{saturating_round(static_cast<long double>(trace.begin.ticks) + share)};
  }
  const bool from_begin = text.starts_with('+');
  WEFT_TRY_ASSIGN(const Duration d, parse_duration(from_begin ? text.substr(1) : text, base));
  return from_begin ? trace.begin + d : Time{d.ticks};
}

}  // namespace weft
