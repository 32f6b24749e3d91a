// Converts decimal time texts to nanoseconds without floating point: exact down to 10^-9 ns, and
// rounding is reported.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <expected>
#include <optional>
#include <string_view>

#include "core/base/time.h"

namespace weft::formats {

struct DecimalTime {
  int64_t ns = 0;     // rounded down
  uint32_t rest = 0;  // in 10^-9 ns: below 10^9

  // Rounds to the nearest nanosecond, halves up.
  Time nearest() const { return {saturating_add(ns, rest >= 500'000'000 ? 1 : 0)}; }
  bool is_exact() const { return rest == 0; }
};

inline DecimalTime operator+(DecimalTime a, DecimalTime b) {
  const uint32_t rest = a.rest + b.rest;
  const bool carries = rest >= 1'000'000'000;
  const int64_t ns = saturating_add(a.ns, b.ns);
  return {carries ? saturating_add(ns, 1) : ns, carries ? rest - 1'000'000'000 : rest};
}

enum class DecimalError : uint8_t { kOutOfRange, kNoNumber };

// The unit of a text: the power of ten of a nanosecond.
enum class DecimalUnit : uint8_t {
  kNanoseconds = 0,
  kMicroseconds = 3,
  kMilliseconds = 6,
  kSeconds = 9
};

// Whether ticks read as a binary fraction were finer than whole ticks. Errors of representing a
// decimal fraction do not count.
inline bool is_finer_than_ticks(long double ticks) {
  constexpr long double kFiner = 1e-3L, kBinary = 1e-15L;
  return std::abs(ticks - std::round(ticks)) > std::max(kFiner, std::abs(ticks) * kBinary);
}

// Parses any JSON number of units: sign, fraction and exponent in any form.
std::expected<DecimalTime, DecimalError> parse_decimal_time(std::string_view text,
                                                            DecimalUnit unit);

// The same, rounded to the nearest nanosecond.
inline std::optional<Time> nearest_time(std::string_view text, DecimalUnit unit) {
  const auto time = parse_decimal_time(text, unit);
  return time ? std::optional(time->nearest()) : std::nullopt;
}

}  // namespace weft::formats
