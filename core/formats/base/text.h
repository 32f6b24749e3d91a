// Small steps that readers of text share.
#pragma once

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>

namespace weft::formats {

// The same bytes, as the steps take them.
inline std::string_view as_chars(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

constexpr bool is_text_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

// Without the white space around it.
inline std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_text_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_text_space(text.back())) text.remove_suffix(1);
  return text;
}

// What a path of Linux or Windows leads to.
inline std::string_view file_name_of(std::string_view path) {
  return path.substr(path.find_last_of("/\\") + 1);  // npos + 1 is 0
}

// How long the blank lines are that a text begins with.
inline size_t blank_lines_bytes(std::span<const std::byte> text) {
  size_t bytes = 0;
  for (size_t i = 0; i < text.size() && is_text_space(static_cast<char>(text[i])); ++i) {
    if (text[i] == std::byte{'\n'}) bytes = i + 1;
  }
  return bytes;
}

// Where the first of a few signs stands, or the text's end.
template <char... kSigns>
constexpr size_t find_any(std::string_view text) {
  const auto* const it = std::ranges::find_if(text, [](char c) { return ((c == kSigns) || ...); });
  return static_cast<size_t>(it - text.begin());
}

// Whether the text begins so, which is taken off.
constexpr bool take_prefix(std::string_view& text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return false;
  text.remove_prefix(prefix.size());
  return true;
}

inline void skip_spaces(std::string_view& text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
}

// What stands before the sign, or all of the text; it is taken off with the sign.
inline std::string_view take_to(std::string_view& text, char sign) {
  const std::string_view before = text.substr(0, text.find(sign));
  text.remove_prefix(std::min(text.size(), before.size() + 1));
  return before;
}

// The next word, which is taken off; empty at the end.
inline std::string_view take_word(std::string_view& text) {
  const char* begin = std::to_address(text.begin());
  const char* const end = begin + text.size();
  while (begin != end && is_text_space(*begin)) ++begin;
  const char* behind = begin;
  while (behind != end && !is_text_space(*behind)) ++behind;
  text = {behind, end};
  return {begin, behind};
}

// The word that the text ends with, which is taken off with the white space around what is left;
// empty where there is none.
inline std::string_view take_last_word(std::string_view& text) {
  text = trimmed(text);
  const std::string_view word = text.substr(text.find_last_of(" \t") + 1);  // npos + 1 is 0
  text = trimmed(text.substr(0, text.size() - word.size()));
  return word;
}

// The number that the text begins with, which is taken off. Reals are finite, and decimal.
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

// The same of hexadecimal digits, without "0x".
inline std::optional<uint64_t> take_hexadecimal(std::string_view& text) {
  return take_number<uint64_t>(text, 16);
}

// The same behind "0x", as addresses are written.
inline std::optional<uint64_t> take_address(std::string_view& text) {
  return take_prefix(text, "0x") ? take_hexadecimal(text) : std::nullopt;
}

// All of the text.
template <class Number>
std::optional<Number> parse_number(std::string_view text, int base = 10) {
  const auto value = take_number<Number>(text, base);
  return text.empty() ? value : std::nullopt;
}

}  // namespace weft::formats
