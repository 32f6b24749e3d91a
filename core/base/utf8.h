// UTF-8 code points: counting and encoding. Validation is in text.h.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace weft {

// Whether `byte` can, and in valid UTF-8 does, begin a code point.
inline bool begins_letter(char byte) { return (static_cast<uint8_t>(byte) & 0xC0) != 0x80; }

// Returns the number of code points in valid UTF-8.
inline size_t letters_in(std::string_view text) {
  return static_cast<size_t>(std::ranges::count_if(text, begins_letter));
}

// Appends code point `character` (at most U+10FFFF) in UTF-8.
inline void append_utf8(std::string& out, uint32_t character) {
  const auto put = [&](uint32_t byte) { out += static_cast<char>(byte); };
  const auto put_six_bits = [&](int shift) { put(0x80 | (character >> shift & 0x3F)); };
  if (character < 0x80) return put(character);
  if (character < 0x800) {
    put(0xC0 | character >> 6);
  } else if (character < 0x10000) {
    put(0xE0 | character >> 12);
    put_six_bits(6);
  } else {
    put(0xF0 | character >> 18);
    put_six_bits(12);
    put_six_bits(6);
  }
  put_six_bits(0);
}

}  // namespace weft
