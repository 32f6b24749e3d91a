// Points in time and durations in a trace's own ticks, and their text forms.
//
// Time (a point) and Duration (a length) are distinct types over int64_t; TimeRange is half-open,
// [begin, end). Import never rounds; conversion happens on output. Arithmetic saturates
// (saturating.h).
#pragma once

#include <compare>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/base/saturating.h"

namespace weft {

inline constexpr int64_t kNsPerUs = 1'000, kNsPerMs = 1'000'000, kNsPerSecond = 1'000'000'000;

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

// The unit of a tick. The order is part of the .weft format.
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

// Returns the ticks in a second; 0 if the base has no relation to seconds (cycles, ticks).
int64_t ticks_per_second(TimeBase base);

// Formats a duration with at most `digits` significant digits in the unit that reads best: "12.5
// ms", "3 cycles".
std::string format_duration(Duration d, TimeBase base, int digits = 4);

// Formats a point in time in the unit that suits `span`, with the digits that a step of
// `resolution` needs; exact if `resolution` is 1 tick. Rulers pass the length of the view and that
// of a pixel.
std::string format_time(Time t, TimeBase base, Duration span, Duration resolution);

// Parses a time from the command line or a command: an integer in ticks ("1500"), a number with a
// unit on the trace's own clock ("12.5ms") or, after '+', relative to the trace's begin
// ("+12.5ms"), or a share of the trace ("40%").
Result<Time> parse_time(std::string_view text, TimeRange trace, TimeBase base);

// Whether `text` names a unit of time, such as "ms".
bool is_time_unit(std::string_view text);

// Parses "12.5ms", "12.5 ms", clock notation (clock_text.h) or an integer in ticks.
Result<Duration> parse_duration(std::string_view text, TimeBase base);

}  // namespace weft
