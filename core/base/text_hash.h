// A string hash for in-memory tables, fast for short texts such as names. It may change between
// versions, so do not store it; it does not resist deliberate collisions, so tables compare texts
// too.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace weft {

struct TextHash {
  using is_transparent = void;

  static bool are_equal(std::string_view a, std::string_view b) {
    const size_t size = a.size();
    if (size != b.size()) return false;
    if (size > 16) return std::memcmp(a.data(), b.data(), size) == 0;
    if (size < 8) return word_of(a) == word_of(b);
    const auto differ = [&](size_t at) {
      return whole_word(a.data() + at) ^ whole_word(b.data() + at);
    };
    return (differ(0) | differ(size - 8)) == 0;
  }

  size_t operator()(std::string_view text) const {
    uint64_t hash = text.size() * kOdd;
    for (; text.size() > 8; text.remove_prefix(8)) hash = mixed(hash ^ word_of(text.substr(0, 8)));
    return mixed(hash ^ word_of(text));
  }

 private:
  static constexpr uint64_t kOdd = 0x9e3779b97f4a7c15;

  static uint64_t mixed(uint64_t word) {
    const unsigned __int128 product = static_cast<unsigned __int128>(word ^ kOdd >> 7) * kOdd;
    return static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64);
  }
  static uint64_t whole_word(const char* at) {
    uint64_t word;
    std::memcpy(&word, at, sizeof word);
    return word;
  }
  // Packs up to eight bytes into a word without a loop; injective among texts of the same size.
  static uint64_t word_of(std::string_view text) {
    const size_t size = text.size();
    if (size >= 4) {
      uint32_t first = 0, last = 0;
      std::memcpy(&first, text.data(), sizeof first);
      std::memcpy(&last, text.data() + size - sizeof last, sizeof last);
      return first | uint64_t{last} << 32;
    }
    if (size == 0) return 0;
    const auto byte = [text](size_t i) { return uint64_t{static_cast<uint8_t>(text[i])}; };
    return byte(0) | byte(size / 2) << 8 | byte(size - 1) << 16;
  }
};

}  // namespace weft
