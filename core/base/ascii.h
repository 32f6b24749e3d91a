// ASCII character classes and case mapping, independent of the locale. All other bytes, those of
// multi-byte UTF-8 sequences included, belong to no class and are left as they are.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

namespace weft {

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }
constexpr bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
constexpr bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
constexpr bool is_letter(char c) { return is_upper(c) || is_lower(c); }
constexpr bool is_alphanumeric(char c) { return is_letter(c) || is_digit(c); }
// A character of an identifier in most languages and formats: a letter, digit or underscore.
constexpr bool is_word_char(char c) { return is_alphanumeric(c) || c == '_'; }

constexpr char to_lower(char c) { return is_upper(c) ? static_cast<char>(c - 'A' + 'a') : c; }
constexpr char to_upper(char c) { return is_lower(c) ? static_cast<char>(c - 'a' + 'A') : c; }

inline std::string lower_case(std::string text) {
  std::ranges::transform(text, text.begin(), to_lower);
  return text;
}

inline bool equals_ignoring_case(std::string_view a, std::string_view b) {
  return std::ranges::equal(a, b, {}, to_lower, to_lower);
}

// `text` without the white space around it.
constexpr std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}

}  // namespace weft
