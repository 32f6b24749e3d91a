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

DecimalTime operator+(DecimalTime a, DecimalTime b);

enum class DecimalStatus : uint8_t { kOk, kOutOfRange, kNoNumber };

// Any JSON number of microseconds: sign, fraction and exponent in any form.
DecimalStatus parse_decimal_time(std::string_view text, DecimalTime& out);

// The usual form, up to three digits after the point, at the cursor; moves it only on success.
inline bool parse_plain_time(Cursor& cursor, DecimalTime& out) {
  const char* p = cursor.p;
  const bool is_negative = *p == '-';
  if (is_negative) ++p;
  const char* first = p;
  uint64_t value = 0;
  while (is_digit(*p)) value = value * 10 + static_cast<uint64_t>(*p++ - '0');
  // 15 digits of microseconds are 31 years; 18 digits of nanoseconds fit an int64.
  if (p == first || p - first > 15) return false;
  if (*first == '0' && p - first > 1) return false;
  uint64_t scale = 1000;
  if (*p == '.') {
    const char* point = p++;
    while (is_digit(*p) && scale > 1) {
      value = value * 10 + static_cast<uint64_t>(*p++ - '0');
      scale /= 10;
    }
    if (p == point + 1 || is_digit(*p)) return false;
  }
  if (*p == 'e' || *p == 'E') return false;
  const auto ns = static_cast<int64_t>(value * scale);
  out = {is_negative ? -ns : ns, 0};
  cursor.p = p;
  return true;
}

}  // namespace weft::formats::chrome_json
