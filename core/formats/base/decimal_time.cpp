#include "core/formats/base/decimal_time.h"

#include <algorithm>
#include <charconv>
#include <string>

#include "core/formats/base/json_cursor.h"
#include "core/formats/base/text.h"

namespace weft::formats {
namespace {

constexpr uint32_t kRestScale = 1'000'000'000;

// A decimal number taken apart: 0.DIGITS * 10^point.
struct Parts {
  bool is_negative = false;
  std::string digits;
  int64_t point = 0;
};

constexpr size_t kPlainDigits = 19;  // fit a uint64_t

// The form that nearly all have: few digits, none finer than a nanosecond. False for others.
bool parse_plain(std::string_view text, DecimalUnit unit, DecimalTime& out) {
  const bool is_negative = take_prefix(text, "-");
  if (text.empty() || text == "." || text.size() > kPlainDigits + 1) return false;
  const char* p = text.data();
  const char* const end = p + text.size();
  uint64_t value = 0;
  const auto take_digits = [&] {
    const char* const begin = p;
    for (uint32_t count = 8; count == 8 && end - p >= 8; p += count) {
      const auto digits = json::leading_digits(json::load8(p));
      value = value * json::kPowersOf10[digits.count] + digits.value;
      count = digits.count;
    }
    for (; p != end && is_digit(*p); ++p) value = value * 10 + static_cast<uint64_t>(*p - '0');
    return static_cast<size_t>(p - begin);
  };
  size_t digits = take_digits(), behind_point = 0;
  if (p != end && *p == '.') {
    ++p;
    digits += behind_point = take_digits();
  }
  const auto scale = static_cast<size_t>(unit);
  if (p != end || behind_point > scale || digits > kPlainDigits) return false;
  constexpr uint64_t kMost = INT64_MAX - 1;
  for (size_t i = behind_point; i < scale; ++i) {
    if (value > kMost / 10) return false;
    value *= 10;
  }
  if (value > kMost) return false;
  const auto ns = static_cast<int64_t>(value);
  out = {is_negative ? -ns : ns, 0};
  return true;
}

bool take_apart(std::string_view text, Parts& parts) {
  parts.is_negative = take_prefix(text, "-");
  size_t i = 0;
  while (i < text.size() && is_digit(text[i])) parts.digits += text[i++];
  parts.point = static_cast<int64_t>(parts.digits.size());
  if (i < text.size() && text[i] == '.') {
    ++i;
    while (i < text.size() && is_digit(text[i])) parts.digits += text[i++];
  }
  if (parts.digits.empty()) return false;
  if (i < text.size() && (text[i] == 'e' || text[i] == 'E')) {
    ++i;
    if (i < text.size() && text[i] == '+') ++i;
    int64_t exponent = 0;
    const auto [end, error] = std::from_chars(text.data() + i, text.data() + text.size(), exponent);
    if (error == std::errc::invalid_argument) return false;
    if (error == std::errc::result_out_of_range) exponent = text[i] == '-' ? -1'000'000 : 1'000'000;
    parts.point += std::clamp<int64_t>(exponent, -1'000'000, 1'000'000);
    i = static_cast<size_t>(end - text.data());
  }
  return i == text.size();
}

}  // namespace

DecimalStatus parse_decimal_time(std::string_view text, DecimalUnit unit, DecimalTime& out) {
  if (parse_plain(text, unit, out)) return DecimalStatus::kOk;
  Parts parts;
  if (!take_apart(text, parts)) return DecimalStatus::kNoNumber;
  const size_t zeros = std::min(parts.digits.find_first_not_of('0'), parts.digits.size());
  parts.digits.erase(0, zeros);
  parts.point += static_cast<int64_t>(unit) - static_cast<int64_t>(zeros);
  out = {};
  if (parts.digits.empty() || parts.point < -9) return DecimalStatus::kOk;
  if (parts.point > 19) return DecimalStatus::kOutOfRange;

  // The digit of 10^-k, k counted from the point.
  const auto digit = [&](int64_t k) -> uint32_t {
    const int64_t i = parts.point + k;
    if (i < 0 || i >= static_cast<int64_t>(parts.digits.size())) return 0;
    return static_cast<uint32_t>(parts.digits[static_cast<size_t>(i)] - '0');
  };
  unsigned __int128 ns = 0;
  for (int64_t k = -parts.point; k < 0; ++k) ns = ns * 10 + digit(k);
  uint32_t rest = 0;
  for (int64_t k = 0; k < 9; ++k) rest = rest * 10 + digit(k);
  if (ns > static_cast<unsigned __int128>(INT64_MAX) - 1) return DecimalStatus::kOutOfRange;

  out.ns = static_cast<int64_t>(ns);
  out.rest = rest;
  if (parts.is_negative) {
    out.ns = -out.ns - (rest > 0 ? 1 : 0);
    out.rest = rest > 0 ? kRestScale - rest : 0;
  }
  return DecimalStatus::kOk;
}

}  // namespace weft::formats
