// Points and lengths of time in a trace's own ticks, and the words for them.
//
// Time (a point) and Duration (a length) are different types over int64_t; TimeRange is half-open,
// [begin, end). Nothing is rounded on import; what is shown is converted on the way out. Arithmetic
// that would leave the 64 bits saturates: a hostile trace gives an odd picture, not an overflow.
#pragma once

#include <compare>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace weft {

constexpr int64_t saturating_add(int64_t a, int64_t b) {
  int64_t r = 0;
  if (!__builtin_add_overflow(a, b, &r)) return r;
  return a < 0 ? std::numeric_limits<int64_t>::min() : std::numeric_limits<int64_t>::max();
}
constexpr int64_t saturating_sub(int64_t a, int64_t b) {
  int64_t r = 0;
  if (!__builtin_sub_overflow(a, b, &r)) return r;
  return a < 0 ? std::numeric_limits<int64_t>::min() : std::numeric_limits<int64_t>::max();
}

struct Duration {
  int64_t ticks = 0;
  constexpr auto operator<=>(const Duration&) const = default;
};

struct Time {
  int64_t ticks = 0;
  constexpr auto operator<=>(const Time&) const = default;
  static constexpr Time min() { return {std::numeric_limits<int64_t>::min()}; }
  static constexpr Time max() { return {std::numeric_limits<int64_t>::max()}; }
};

constexpr Time operator+(Time t, Duration d) { return {saturating_add(t.ticks, d.ticks)}; }
constexpr Time operator-(Time t, Duration d) { return {saturating_sub(t.ticks, d.ticks)}; }
constexpr Duration operator-(Time a, Time b) { return {saturating_sub(a.ticks, b.ticks)}; }
constexpr Duration operator+(Duration a, Duration b) { return {saturating_add(a.ticks, b.ticks)}; }
constexpr Duration operator-(Duration a, Duration b) { return {saturating_sub(a.ticks, b.ticks)}; }

struct TimeRange {
  Time begin;
  Time end;
  constexpr bool operator==(const TimeRange&) const = default;
  constexpr Duration length() const { return end - begin; }
  constexpr bool is_empty() const { return end <= begin; }
  constexpr bool contains(Time t) const { return begin <= t && t < end; }
};

// What one tick is. The order is part of the .weft format.
enum class TimeBase : uint8_t {
  kNanoseconds,
  kMicroseconds,
  kMilliseconds,
  kSeconds,
  kPicoseconds,
  kCycles,
  kTicks
};

// "ns", "us", "ms", "s", "ps", "cycles", "ticks".
std::string_view name_of(TimeBase base);
Result<TimeBase> time_base_from_name(std::string_view name);

// Ticks in one second; 0 where the base has no relation to seconds (cycles, ticks).
int64_t ticks_per_second(TimeBase base);

// "12.5 ms", "3 cycles": at most `digits` significant digits, the unit that reads best.
std::string format_duration(Duration d, TimeBase base, int digits = 4);

// A point for people: seconds with the digits that a step of `resolution` ticks needs, in the unit
// that suits `span`: format_time(t, base, view length, pixel). Exact when resolution is 1 tick.
std::string format_time(Time t, TimeBase base, Duration span, Duration resolution);

// Times on the command line and in commands: an integer in ticks ("1500"), a number with a unit
// from the trace's begin when it starts with '+' ("+12.5ms"), without '+' on the trace's own clock
// ("12.5ms"), or a share of the trace ("40%").
Result<Time> parse_time(std::string_view text, TimeRange trace, TimeBase base);

// Whether it is a unit of seconds: "ms".
bool is_time_unit(std::string_view text);

// "12.5ms", "12.5 ms" or an integer in ticks.
Result<Duration> parse_duration(std::string_view text, TimeBase base);

}  // namespace weft
