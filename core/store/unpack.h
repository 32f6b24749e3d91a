// Runs of packed values, many at a time: the inner loop of reading a block.
//
// The layout of the bits is that of packed.h. Where the processor has AVX2, eight values cost about
// fourteen instructions; elsewhere, and at the ragged ends, each is read by itself.
#pragma once

#include <cstdint>
#include <cstring>

namespace weft::store {

// One column of packed values. Does not own the bytes; 8 bytes past the last value must be
// readable. Widths 58 to 63 do not occur.
struct PackedColumn {
  static constexpr uint8_t kZeros[8] = {};

  const uint8_t* data = kZeros;  // of width 0, if nothing was opened
  uint64_t mask = 0;
  uint64_t base = 0;
  uint32_t width = 0;

  int64_t get(uint32_t row) const {
    const uint32_t bit = row * width;
    uint64_t word = 0;
    std::memcpy(&word, data + (bit >> 3), 8);
    return static_cast<int64_t>(((word >> (bit & 7)) & mask) + base);
  }
};

// Unpacks rows [first, first + count) of a column. Nothing from `readable_end` on is read.
void unpack(const PackedColumn& column, const uint8_t* readable_end, uint32_t first, uint32_t count,
            int64_t* out);

}  // namespace weft::store
