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

namespace weft::formats::chrome_json {

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
  std::array<unsigned char, 2 * kMostShort> bytes{};
  for (size_t i = 0; i < kMostShort; ++i) bytes[i] = 0xFF;
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
  static_assert(kBytes <= kMostShort && kBytes % 8 == 0);

 public:
  explicit TextHead(std::string_view whole) : size_(static_cast<uint32_t>(whole.size())) {
    for (size_t i = 0; i < kBytes / 8; ++i) words_[i] = word(whole, i);
  }

  // Whether a text is the one that is kept, `whole`.
  bool is_of(std::string_view text, const std::string_view& whole) const {
    uint64_t differing = text.size() ^ size_;
    for (size_t i = 0; i < kBytes / 8; ++i) differing |= words_[i] ^ word(text, i);
    if (differing != 0) return false;
    return text.size() <= kBytes ||
           std::memcmp(text.data() + kBytes, whole.data() + kBytes, text.size() - kBytes) == 0;
  }

 private:
  static uint64_t word(std::string_view text, size_t i) {
    static constexpr char kNowhere[kMostShort] = {};  // where an empty text may lie
    return word_of(text.empty() ? kNowhere : text.data(), std::min(text.size(), kBytes), i);
  }

  uint64_t words_[kBytes / 8];
  uint32_t size_;
};

}  // namespace weft::formats::chrome_json
