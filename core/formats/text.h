// Small steps that readers of text share.
#pragma once

#include <algorithm>
#include <charconv>
#include <cmath>
#include <memory>
#include <optional>
#include <string_view>
#include <type_traits>

namespace weft::formats {

inline constexpr std::string_view kTextSpace = " \t\r\n";

// Without the white space around it.
inline std::string_view trimmed(std::string_view text) {
  const size_t first = text.find_first_not_of(kTextSpace);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kTextSpace) + 1 - first);
}

// The next word, which is taken off; empty at the end.
inline std::string_view take_word(std::string_view& text) {
  const size_t begin = std::min(text.find_first_not_of(kTextSpace), text.size());
  const size_t end = std::min(text.find_first_of(kTextSpace, begin), text.size());
  const std::string_view word = text.substr(begin, end - begin);
  text.remove_prefix(end);
  return word;
}

// The number that the text begins with, which is taken off. Reals are finite.
template <class Number>
std::optional<Number> take_number(std::string_view& text) {
  Number value = 0;
  const char* const begin = std::to_address(text.begin());
  const auto [stop, error] = std::from_chars(begin, begin + text.size(), value);
  if (error != std::errc()) return std::nullopt;
  if constexpr (std::is_floating_point_v<Number>) {
    if (!std::isfinite(value)) return std::nullopt;
  }
  text.remove_prefix(static_cast<size_t>(stop - begin));
  return value;
}

// All of the text.
template <class Number>
std::optional<Number> parse_number(std::string_view text) {
  const auto value = take_number<Number>(text);
  return text.empty() ? value : std::nullopt;
}

}  // namespace weft::formats
