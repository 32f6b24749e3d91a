// A block of LZ4 that has literals only: no test depends on a compressor.
#pragma once

#include <string>
#include <string_view>

#include "tests/core/formats/bytes.h"

namespace weft::test {

inline std::string literals_of_lz4(std::string_view bytes) {
  Bytes out;
  constexpr size_t kInToken = 15;
  if (bytes.size() < kInToken) {
    out.little(static_cast<uint8_t>(bytes.size() << 4));
  } else {
    out.little(uint8_t{0xF0});
    size_t left = bytes.size() - kInToken;
    for (; left >= 255; left -= 255) out.little(uint8_t{255});
    out.little(static_cast<uint8_t>(left));
  }
  return out.text(bytes).str();
}

}  // namespace weft::test
