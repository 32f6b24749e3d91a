#include "core/formats/base/decimal_time.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <string>

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
constexpr std::array<uint64_t, 10> kFactors = {
    1, 10, 100, 1'000, 10'000, 100'000, 1'000'000, 10'000'000, 100'000'000, 1'000'000'000};

// The form that nearly all have: few digits, none finer than a nanosecond. False for others.
bool parse_plain(std::string_view text, DecimalUnit unit, DecimalTime& out) {
  const bool is_negative = text.starts_with('-');
  const char* p = text.data() + (is_negative ? 1 : 0);
  const char* const end = text.data() + text.size();
  uint64_t value = 0;  // of too many digits it is wrong, and not used
  const auto take_digits = [&] {
    const char* const begin = p;
    for (; p != end; ++p) {
      const auto digit = static_cast<uint8_t>(*p - '0');
      if (digit > 9) break;
      value = value * 10 + digit;
    }
    return static_cast<size_t>(p - begin);
  };
  size_t digits = take_digits(), behind_point = 0;
  if (p != end && *p == '.') {
    ++p;
    digits += behind_point = take_digits();
  }
  const auto scale = static_cast<size_t>(unit);
  if (p != end || behind_point > scale || digits == 0 || digits > kPlainDigits) return false;
  constexpr uint64_t kMost = INT64_MAX - 1;
  const uint64_t factor = kFactors[scale - behind_point];
  if (__builtin_mul_overflow(value, factor, &value) || value > kMost) return false;
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

std::expected<DecimalTime, DecimalError> parse_decimal_time(std::string_view text,
                                                            DecimalUnit unit) {
  DecimalTime out;
  if (parse_plain(text, unit, out)) return out;
  Parts parts;
  if (!take_apart(text, parts)) return std::unexpected(DecimalError::kNoNumber);
  const size_t zeros = std::min(parts.digits.find_first_not_of('0'), parts.digits.size());
  parts.digits.erase(0, zeros);
  parts.point += static_cast<int64_t>(unit) - static_cast<int64_t>(zeros);
  if (parts.digits.empty() || parts.point < -9) return out;
  if (parts.point > 19) return std::unexpected(DecimalError::kOutOfRange);

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
  if (ns > static_cast<unsigned __int128>(INT64_MAX) - 1)
    return std::unexpected(DecimalError::kOutOfRange);

  out.ns = static_cast<int64_t>(ns);
  out.rest = rest;
  if (parts.is_negative) {
    out.ns = -out.ns - (rest > 0 ? 1 : 0);
    out.rest = rest > 0 ? kRestScale - rest : 0;
  }
  return out;
}

}  // namespace weft::formats
