// Units of time, as profiles of pprof's kind call them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string_view>

#include "core/base/ascii.h"

namespace weft::formats::pprof {

// "microseconds", "μs". Returns the nanoseconds of a unit; 0 if it is none of time.
inline int64_t nanoseconds_of(std::string_view unit) {
  struct Unit {
    std::string_view name;
    int64_t nanoseconds;
  };
  constexpr int64_t kMicrosecond = 1'000, kMillisecond = 1'000'000, kSecond = 1'000'000'000,
                    kMinute = 60 * kSecond, kHour = 60 * kMinute;
  static constexpr Unit kUnits[] = {{"ns", 1},
                                    {"nanosecond", 1},
                                    {"us", kMicrosecond},
                                    {"\u00B5s", kMicrosecond},  // the sign
                                    {"\u03BCs", kMicrosecond},  // the letter
                                    {"microsecond", kMicrosecond},
                                    {"ms", kMillisecond},
                                    {"millisecond", kMillisecond},
                                    {"s", kSecond},
                                    {"sec", kSecond},
                                    {"second", kSecond},
                                    {"min", kMinute},
                                    {"minute", kMinute},
                                    {"hr", kHour},
                                    {"hour", kHour}};
  const auto is_it = [&](std::string_view name) {
    return equals_ignoring_case(unit, name) ||
           (unit.ends_with('s') && equals_ignoring_case(unit.substr(0, unit.size() - 1), name));
  };
  const auto* const it = std::ranges::find_if(kUnits, is_it, &Unit::name);
  return it == std::end(kUnits) ? 0 : it->nanoseconds;
}

// So many of a unit, in nanoseconds; nullopt where they are more than can be counted.
inline std::optional<int64_t> scaled(int64_t value, int64_t nanoseconds) {
  int64_t product = 0;
  if (__builtin_mul_overflow(value, nanoseconds, &product)) return std::nullopt;
  return product;
}

// What a value is called that is left out for that.
inline constexpr std::string_view kOutOfRange = "value out of range";

}  // namespace weft::formats::pprof
