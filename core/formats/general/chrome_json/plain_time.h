// Times in the form that almost all of the format's files use, at the speed of the scanner; others
// are for parse_decimal_time().
#pragma once

#include <cstdint>

#include "core/formats/base/decimal_time.h"
#include "core/formats/base/json_cursor.h"

namespace weft::formats::chrome_json {

// Microseconds with up to three digits after the point; the place behind them, or null for other
// forms.
inline const char* scan_plain_time(const char* p, DecimalTime& out) {
  const bool is_negative = *p == '-';
  if (is_negative) ++p;
  // Up to 15 digits of microseconds, 31 years: the nanoseconds fit an int64.
  const json::Digits high = json::leading_digits(json::load8(p));
  if (!json::begin_number(high)) return nullptr;
  p += high.count;
  uint64_t value = high.value;
  if (high.count == 8) {
    const json::Digits low = json::leading_digits(json::load8(p));
    if (low.count == 8) return nullptr;
    value = value * json::kPowersOf10[low.count] + low.value;
    p += low.count;
  }
  value *= 1000;
  if (*p == '.') {
    const json::Digits fraction = json::leading_thousandths(json::load8(++p));
    if (fraction.count == 0 || fraction.count > 3) return nullptr;
    value += fraction.value;
    p += fraction.count;
  }
  if (*p == 'e' || *p == 'E') return nullptr;
  const auto ns = static_cast<int64_t>(value);
  out = {is_negative ? -ns : ns, 0};
  return p;
}

}  // namespace weft::formats::chrome_json
