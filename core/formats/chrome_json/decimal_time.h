// Times as the format writes them, decimal microseconds, turned into nanoseconds without floating
// point: nothing is lost down to 10^-9 ns, and what rounds is known to round.
#pragma once

#include <cstdint>
#include <string_view>

#include "core/base/time.h"
#include "core/formats/chrome_json/json_cursor.h"

namespace weft::formats::chrome_json {

struct DecimalTime {
  int64_t ns = 0;     // rounded down
  uint32_t rest = 0;  // in 10^-9 ns: below 10^9

  // To the nearest nanosecond; half goes up.
  Time nearest() const { return {saturating_add(ns, rest >= 500'000'000 ? 1 : 0)}; }
  bool is_exact() const { return rest == 0; }
};

inline DecimalTime operator+(DecimalTime a, DecimalTime b) {
  const uint32_t rest = a.rest + b.rest;
  const bool carries = rest >= 1'000'000'000;
  const int64_t ns = saturating_add(a.ns, b.ns);
  return {carries ? saturating_add(ns, 1) : ns, carries ? rest - 1'000'000'000 : rest};
}

enum class DecimalStatus : uint8_t { kOk, kOutOfRange, kNoNumber };

// Any JSON number of microseconds: sign, fraction and exponent in any form.
DecimalStatus parse_decimal_time(std::string_view text, DecimalTime& out);

// The usual form, up to three digits after the point; the place behind it, or null for other forms.
inline const char* scan_plain_time(const char* p, DecimalTime& out) {
  const bool is_negative = *p == '-';
  if (is_negative) ++p;
  // Up to 15 digits of microseconds, 31 years: the nanoseconds fit an int64.
  const Digits high = leading_digits(load8(p));
  if (high.count == 0 || (*p == '0' && high.count > 1)) return nullptr;
  p += high.count;
  uint64_t value = high.value;
  if (high.count == 8) {
    const Digits low = leading_digits(load8(p));
    if (low.count == 8) return nullptr;
    value = value * kPowersOf10[low.count] + low.value;
    p += low.count;
  }
  value *= 1000;
  if (*p == '.') {
    const Digits fraction = leading_digits(load8(++p));
    if (fraction.count == 0 || fraction.count > 3) return nullptr;
    value += uint64_t{fraction.value} * kPowersOf10[3 - fraction.count];
    p += fraction.count;
  }
  if (*p == 'e' || *p == 'E') return nullptr;
  const auto ns = static_cast<int64_t>(value);
  out = {is_negative ? -ns : ns, 0};
  return p;
}

}  // namespace weft::formats::chrome_json
