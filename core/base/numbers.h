// Numbers in text, by std::from_chars: no locale, no white space, no plus sign.
#pragma once

#include <charconv>
#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <type_traits>

namespace weft {

// Parses a number at the start of `text` and removes it from `text`. Returns nullopt, and leaves
// `text` as it is, if there is none or it is out of range. Integers are read in `base`; reals are
// decimal and must be finite.
template <class Number>
std::optional<Number> take_number(std::string_view& text, int base = 10) {
  Number value = 0;
  const char* const begin = std::to_address(text.begin());
  const char* const end = begin + text.size();
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

// Parses `text`, all of which must be one number.
template <class Number>
std::optional<Number> parse_number(std::string_view text, int base = 10) {
  const auto value = take_number<Number>(text, base);
  return text.empty() ? value : std::nullopt;
}

}  // namespace weft
