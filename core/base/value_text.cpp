#include "core/base/value_text.h"

#include <fmt/core.h>

#include <cmath>
#include <cstdint>
#include <iterator>
#include <string_view>

#include "core/base/text.h"

namespace weft {
namespace {

constexpr double kEndOfWords = 0x1p64;

// The leading digits of a word that has more than 64 bits.
std::string leading_digits(double word, Radix radix) {
  constexpr int kBits = 48;  // a double has a few more, whose end is rounded
  const int digit_bits = radix == Radix::kBinary ? 1 : 4;
  int word_bits = 0;
  std::frexp(word, &word_bits);
  const int digits = (word_bits + digit_bits - 1) / digit_bits;
  const auto leading = static_cast<uint64_t>(std::ldexp(word, kBits - digits * digit_bits));
  return radix == Radix::kBinary ? fmt::format("≈{:#b}…", leading)
                                 : fmt::format("≈{:#x}…", leading);
}

}  // namespace

std::string format_value(double value) {
  constexpr double kMostWhole = 1e15;  // not far beyond, not every whole number is a double
  if (std::isnan(value)) return "none";
  const bool is_whole = std::fabs(value) < kMostWhole && std::trunc(value) == value;
  if (!is_whole) return fmt::format("{:.6g}", value);
  return format_signed_count(static_cast<int64_t>(value));
}

std::string format_word(double value, Radix radix) {
  constexpr double kMostExact = 0x1p53;
  const bool is_word = value >= 0 && std::isfinite(value) && std::trunc(value) == value;
  const bool is_wide = value >= kEndOfWords;
  if (!is_word || (is_wide && radix == Radix::kDecimal)) return format_value(value);
  if (is_wide) return leading_digits(value, radix);
  const auto word = static_cast<uint64_t>(value);
  const char* const about = value >= kMostExact ? "≈" : "";
  if (radix == Radix::kHexadecimal) return fmt::format("{}{:#x}", about, word);
  if (radix == Radix::kBinary) return fmt::format("{}{:#b}", about, word);
  return fmt::format("{}{}", about, word);
}

std::string format_short_value(double value) {
  if (std::isnan(value)) return format_value(value);
  constexpr std::string_view kPrefixes[] = {"", "k", "M", "G", "T", "P"};
  constexpr double kRoundsUp = 999.5;  // to four digits
  size_t prefix = 0;
  double scaled = value;
  while (std::fabs(scaled) >= kRoundsUp && prefix + 1 < std::size(kPrefixes)) {
    scaled /= 1000;
    ++prefix;
  }
  if (std::fabs(scaled) >= kRoundsUp) return fmt::format("{:.3g}", value);
  return fmt::format("{:.3g}{}", scaled, kPrefixes[prefix]);
}

}  // namespace weft
