// A place in the bytes of a block of a .NET trace; integers are little-endian. What is taken behind
// its end is zeros, and the place has failed.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "core/formats/base/binary.h"

namespace weft::formats::nettrace {

// Lone halves of letters become U+FFFD.
std::string utf16_text(std::string_view bytes);
// "00000001-0002-0003-0405-060708090a0b"; empty where it is all zeros.
std::string guid_text(std::string_view bytes);
constexpr size_t kGuidBytes = 16;

class Cursor : public BinaryFields {
 public:
  using BinaryFields::BinaryFields;

  bool is_at_end() const { return rest().empty(); }
  uint32_t varint32() { return static_cast<uint32_t>(varint()); }
  // The sign is the lowest bit.
  int64_t zigzag() { return from_zigzag(varint()); }
  // UTF-16 up to a zero; where there is none, up to the end.
  std::string utf16() {
    size_t size = 0;
    while (size + 1 < rest().size() && (rest()[size] != 0 || rest()[size + 1] != 0)) size += 2;
    const std::string_view text = bytes(size);
    bytes(std::min(rest().size(), size_t{2}));
    return utf16_text(text);
  }
  // UTF-8 behind its length.
  std::string_view utf8() { return bytes(varint()); }
};

}  // namespace weft::formats::nettrace
