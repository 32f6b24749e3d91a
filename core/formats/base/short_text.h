// Texts of up to 32 bytes, taken whole: no loop, so no end of a loop for the processor to guess.
//
// Names in traces are short and of all lengths, and a wrong guess costs more than looking at 32
// bytes. All that is given must have 32 readable bytes; what is longer, or odd, is left to a loop.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace weft::formats::json {

// Which of the 16 bytes at `p` end a run of ordinary characters in a string: a quote, a backslash,
// a control character. Bit i is byte i. `non_ascii` gets the bits of bytes of 0x80 or more.
inline uint32_t special_bytes(const char* p, uint32_t& non_ascii) {
#ifdef __SSE2__
  const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
  const __m128i is_quote = _mm_cmpeq_epi8(bytes, _mm_set1_epi8('"'));
  const __m128i is_backslash = _mm_cmpeq_epi8(bytes, _mm_set1_epi8('\\'));
  const __m128i is_control = _mm_cmpeq_epi8(_mm_min_epu8(bytes, _mm_set1_epi8(0x1F)), bytes);
  non_ascii = static_cast<uint32_t>(_mm_movemask_epi8(bytes));
  return static_cast<uint32_t>(
      _mm_movemask_epi8(_mm_or_si128(_mm_or_si128(is_quote, is_backslash), is_control)));
#else
  uint32_t special = 0;
  non_ascii = 0;
  for (uint32_t i = 0; i < 16; ++i) {
    const auto c = static_cast<uint8_t>(p[i]);
    special |= static_cast<uint32_t>(c == '"' || c == '\\' || c < 0x20) << i;
    non_ascii |= static_cast<uint32_t>(c >> 7) << i;
  }
  return special;
#endif
}

// A window of 32 bytes into this, from 32 - n on, keeps the first n bytes of a text.
inline constexpr size_t kMostShort = 32;
inline constexpr auto kKeepFirst = [] {
  std::array<char, 2 * kMostShort> bytes{};
  for (size_t i = 0; i < kMostShort; ++i) bytes[i] = '\xFF';
  return bytes;
}();

// Word `i` of the first `length` <= kMostShort bytes at `p`; zeros behind them.
inline uint64_t word_of(const char* p, size_t length, size_t i) {
  uint64_t word = 0;
  uint64_t keep = 0;
  std::memcpy(&word, p + 8 * i, sizeof word);
  std::memcpy(&keep, kKeepFirst.data() + kMostShort - length + 8 * i, sizeof keep);
  return word & keep;
}

// The ordinary characters at `p`.
struct ShortText {
  size_t length;  // kMostShort: that many, or more
  bool has_non_ascii;
  explicit ShortText(const char* p) {
    uint32_t non_ascii[2];
    const uint32_t low = special_bytes(p, non_ascii[0]);
    const uint64_t special = low | uint64_t{special_bytes(p + 16, non_ascii[1])} << 16;
    length = static_cast<size_t>(std::countr_zero(special | 1ull << kMostShort));
    const uint64_t before = (1ull << length) - 1;
    has_non_ascii = ((non_ascii[0] | uint64_t{non_ascii[1]} << 16) & before) != 0;
  }
};

// The first bytes of a text that is kept, zeros behind them: what is short is compared without a
// look at where the whole lies.
template <size_t kBytes>
class TextHead {
 public:
  explicit TextHead(std::string_view whole) : size_(static_cast<uint32_t>(whole.size())) {
    whole.copy(head_, kBytes);
  }

  // Whether a text is the one that is kept, `whole`.
  bool is_of(std::string_view text, const std::string_view& whole) const {
    const char* const p = text.empty() ? head_ : text.data();  // an empty one may lie nowhere
    const char* const keep = kKeepFirst.data() + kMostShort - std::min(text.size(), kBytes);
    Block differing = {text.size() ^ size_, 0};
    for (size_t i = 0; i < kBytes; i += sizeof(Block))
      differing |= (block_at(p + i) & block_at(keep + i)) ^ block_at(head_ + i);
    if ((differing[0] | differing[1]) != 0) return false;
    return text.size() <= kBytes ||
           std::memcmp(text.data() + kBytes, whole.data() + kBytes, text.size() - kBytes) == 0;
  }

 private:
  using Block [[gnu::vector_size(16)]] = uint64_t;
  static_assert(kBytes <= kMostShort && kBytes % sizeof(Block) == 0);

  static Block block_at(const char* p) {
    Block block;
    std::memcpy(&block, p, sizeof block);
    return block;
  }

  char head_[kBytes] = {};
  uint32_t size_;
};

}  // namespace weft::formats::json
