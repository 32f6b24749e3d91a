// Words of languages that do not tell capital letters from small ones.
#pragma once

#include <algorithm>
#include <string_view>

namespace weft::formats {

// Whatever the case of their letters, which are those of ASCII.
inline bool is_same_word(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
  return std::ranges::equal(a, b, {}, lower, lower);
}

}  // namespace weft::formats
