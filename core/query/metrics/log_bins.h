// Bins for numbers of any magnitude: 2^bits for each power of two, so that the numbers of a bin
// differ by at most 1/2^bits of themselves; numbers below 2^(bits + 1) have bins of their own.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace weft::query {

struct LogScale {
  int bits = 0;

  constexpr size_t of(uint64_t value) const {
    const int shift = std::max(0, static_cast<int>(std::bit_width(value)) - bits - 1);
    return (static_cast<size_t>(shift) << bits) + (value >> shift);
  }
  constexpr uint64_t least(size_t bin) const {
    const size_t per_power = size_t{1} << bits;
    if (bin < 2 * per_power) return bin;
    return (bin % per_power + per_power) << (bin / per_power - 1);
  }
  constexpr uint64_t most(size_t bin) const {
    const size_t per_power = size_t{1} << bits;
    if (bin < 2 * per_power) return bin;
    const size_t shift = bin / per_power - 1;
    return least(bin) + ((uint64_t{1} << shift) - 1);
  }
};

// The same for a number of bits known at compile time.
template <int kBits>
struct LogBins {
  static constexpr LogScale kScale{kBits};
  static constexpr size_t kCount = (65 - kBits) << kBits;

  static size_t of(uint64_t value) { return kScale.of(value); }
  static uint64_t least(size_t bin) { return kScale.least(bin); }
  static uint64_t most(size_t bin) { return kScale.most(bin); }
};

}  // namespace weft::query
