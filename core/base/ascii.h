// ASCII character classes and case mapping, independent of the locale. All other bytes, those of
// multi-byte UTF-8 sequences included, belong to no class and are left as they are.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace weft {

// A set of characters: whether it contains one takes a look at a table.
class CharSet {
 public:
  constexpr explicit CharSet(std::string_view members) {
    for (const char c : members) is_member_[static_cast<uint8_t>(c)] = true;
  }
  constexpr bool contains(char c) const { return is_member_[static_cast<uint8_t>(c)]; }
  constexpr bool contains_all(std::string_view text) const {
    return std::ranges::all_of(text, [this](char c) { return contains(c); });
  }

 private:
  std::array<bool, 256> is_member_{};
};

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
inline constexpr CharSet kSpaces(" \t\r\n");
constexpr bool is_space(char c) { return kSpaces.contains(c); }
constexpr bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
constexpr bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
constexpr bool is_letter(char c) { return is_upper(c) || is_lower(c); }
constexpr bool is_alphanumeric(char c) { return is_letter(c) || is_digit(c); }
// A character of an identifier in most languages and formats: a letter, digit or underscore.
inline constexpr CharSet kWordChars(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_");
constexpr bool is_word_char(char c) { return kWordChars.contains(c); }

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
  const char* begin = text.data();
  const char* end = begin + text.size();
  while (begin != end && is_space(*begin)) ++begin;
  while (begin != end && is_space(end[-1])) --end;
  return {begin, static_cast<size_t>(end - begin)};
}

}  // namespace weft
