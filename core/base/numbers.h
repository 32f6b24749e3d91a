// Numbers in text, as std::from_chars reads them: no locale, no white space, no plus sign.
#pragma once

#include <charconv>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

#include "core/base/ascii.h"

namespace weft {

// Parses the decimal digits at `at`, if they are so few that no such number is out of range, and
// moves `at` behind them. Nearly all numbers are so short; std::from_chars asks at each digit
// whether there is room for it. Returns false if there are no digits or more of them, and leaves
// `at` as it is.
template <class Number>
bool take_few_digits(const char*& at, const char* end, Number& value) {
  constexpr ptrdiff_t kFew = std::numeric_limits<Number>::digits10;
  const char* const last = end - at > kFew ? at + kFew : end;
  const char* digit = at;
  Number sum = 0;
  for (; digit != last && is_digit(*digit); ++digit)
    sum = static_cast<Number>(10 * sum + (*digit - '0'));
  if (digit == at || (digit != end && is_digit(*digit))) return false;
  at = digit;
  value = sum;
  return true;
}

// The same for reals of so few digits, "12.75", that they and the power of ten below them are
// exact: the quotient is then what the text says, rounded once. Those with a sign or an exponent,
// and those that have no digit on either side of the point, are others.
inline bool take_few_digits(const char*& at, const char* end, double& value) {
  constexpr ptrdiff_t kFew = std::numeric_limits<double>::digits10;
  const char* digit = at;
  uint64_t sum = 0, power = 1;
  for (; digit != end && is_digit(*digit) && digit - at < kFew; ++digit)
    sum = 10 * sum + static_cast<uint64_t>(*digit - '0');
  if (digit == at) return false;
  if (digit != end && *digit == '.') {
    const char* const point = digit++;
    for (; digit != end && is_digit(*digit) && digit - at <= kFew; ++digit, power *= 10)
      sum = 10 * sum + static_cast<uint64_t>(*digit - '0');
    if (digit == point + 1) return false;
  }
  if (digit != end && (is_digit(*digit) || *digit == '.' || (*digit | 0x20) == 'e')) return false;
  at = digit;
  value = static_cast<double>(sum) / static_cast<double>(power);
  return true;
}

// Parses a number at the start of `text` and removes it from `text`. Returns nullopt, and leaves
// `text` as it is, if there is none or it is out of range. Integers are read in `base`; reals are
// decimal and must be finite.
template <class Number>
std::optional<Number> take_number(std::string_view& text, int base = 10) {
  Number value = 0;
  const char* begin = std::to_address(text.begin());
  const char* const end = begin + text.size();
  if constexpr (std::is_integral_v<Number> || std::is_same_v<Number, double>) {
    if (base == 10 && take_few_digits(begin, end, value)) {
      text = {begin, end};
      return value;
    }
  }
  std::from_chars_result read;
  if constexpr (std::is_floating_point_v<Number>) {
    read = std::from_chars(begin, end, value);
  } else {
    read = std::from_chars(begin, end, value, base);
  }
  if (read.ec != std::errc()) return std::nullopt;
  if constexpr (std::is_floating_point_v<Number>) {
    if (!std::isfinite(value)) return std::nullopt;
  }
  text.remove_prefix(static_cast<size_t>(read.ptr - begin));
  return value;
}

// Appends a number in decimal digits, in place where there is room.
void append_number(std::string& text, std::integral auto number) {
  constexpr size_t kMost = 20;  // of 64 bits, with a sign
  const size_t before = text.size();
  if (text.capacity() - before >= kMost) {
    text.resize_and_overwrite(before + kMost, [before, number](char* all, size_t) {
      char* const begin = all + before;
      return static_cast<size_t>(std::to_chars(begin, begin + kMost, number).ptr - all);
    });
    return;
  }
  char digits[kMost];
  text.append(digits, std::to_chars(digits, std::end(digits), number).ptr);
}

// Parses `text`, all of which must be one number.
template <class Number>
std::optional<Number> parse_number(std::string_view text, int base = 10) {
  const auto value = take_number<Number>(text, base);
  return text.empty() ? value : std::nullopt;
}

}  // namespace weft
