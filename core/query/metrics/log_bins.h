// Bins for numbers of any magnitude: 2^kBits for each power of two, so that a number differs from
// the others of its bin by at most 1/2^kBits of itself; those below 2^(kBits + 1) have bins of
// their own.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace weft::query {

template <int kBits>
struct LogBins {
  static constexpr size_t kPerPower = size_t{1} << kBits;
  static constexpr size_t kCount = (65 - kBits) << kBits;

  static size_t of(uint64_t value) {
    const int shift = std::max(0, static_cast<int>(std::bit_width(value)) - kBits - 1);
    return (static_cast<size_t>(shift) << kBits) + (value >> shift);
  }
  static uint64_t least(size_t bin) {
    if (bin < 2 * kPerPower) return bin;
    return (bin % kPerPower + kPerPower) << (bin / kPerPower - 1);
  }
  static uint64_t most(size_t bin) {
    if (bin < 2 * kPerPower) return bin;
    const size_t shift = bin / kPerPower - 1;
    return least(bin) + ((uint64_t{1} << shift) - 1);
  }
};

}  // namespace weft::query
