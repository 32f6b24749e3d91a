// Letters of ASCII whatever the locale, for words that may be written in capital or small ones:
// keywords of formats, names of keys, hosts and columns.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

namespace weft {

constexpr char small_letter(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

inline std::string in_small_letters(std::string text) {
  std::ranges::transform(text, text.begin(), small_letter);
  return text;
}

inline bool is_same_word(std::string_view a, std::string_view b) {
  return std::ranges::equal(a, b, {}, small_letter, small_letter);
}

}  // namespace weft
