// A position in JSON text: the scanning that everything in this folder is made of.
//
// Scans and checks, but builds nothing: results are views into the text. The text must be followed
// by kTextPadding zero bytes; the first one ends every scan, so no step asks where the end is.
// Where a step fails, the position stays at the byte that broke it: at the padding the text was
// merely cut. Numbers, literals and nesting are checked against RFC 8259; UTF-8 is not (see
// json_text.h).
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "core/base/ascii.h"
#include "core/formats/base/short_text.h"

namespace weft::formats::json {

inline constexpr size_t kTextPadding = 64;
inline constexpr size_t kMaxDepth = 512;  // of nested values; deeper ones are not kept

// What a scan saw on its way; bits.
enum Trait : uint8_t {
  kHasEscape = 1,    // a backslash
  kHasNonAscii = 2,  // a byte of 0x80 or more
  kHasSpace = 4,     // white space between tokens
  kIsDeep = 8,       // nested deeper than kMaxDepth
  kHasHuge = 16,     // a number beyond those of 64 bits (1e400)
  kIsNotCompact = kHasEscape | kHasNonAscii | kHasSpace | kHasHuge,
};

// A string's text between its quotes, as written.
struct RawString {
  std::string_view text;
  uint64_t hash = 0;
  uint8_t traits = 0;
};

// Any value, as written.
struct RawValue {
  std::string_view text;  // empty: absent
  uint8_t traits = 0;
  bool is_string() const { return !text.empty() && text[0] == '"'; }
  bool is_object() const { return !text.empty() && text[0] == '{'; }
  // The text between a string's quotes; of other values, their own.
  std::string_view inner() const { return is_string() ? text.substr(1, text.size() - 2) : text; }
};

// A seed that differs between runs: whoever writes a trace cannot aim at the hash tables.
extern const uint64_t kHashSeed;
inline uint64_t hash_seed() { return kHashSeed; }

inline uint64_t load8(const char* p) {
  uint64_t word;
  std::memcpy(&word, p, sizeof word);
  if constexpr (std::endian::native == std::endian::big) word = __builtin_bswap64(word);
  return word;
}

// Flags (0x80) the bytes of a word that are equal to `c`; exact up to the first one flagged.
constexpr uint64_t flag_equal(uint64_t word, char c) {
  const uint64_t x = word ^ (0x0101010101010101ull * static_cast<uint8_t>(c));
  return (x - 0x0101010101010101ull) & ~x & 0x8080808080808080ull;
}
constexpr size_t first_flagged(uint64_t flags) {
  return static_cast<size_t>(std::countr_zero(flags)) / 8;
}
// The first `n` < 8 bytes of a word.
constexpr uint64_t low_bytes(uint64_t word, size_t n) { return word & ((1ull << (8 * n)) - 1); }

constexpr uint64_t mix(uint64_t hash, uint64_t word) {
  hash = (hash ^ word) * 0x9E3779B97F4A7C15ull;
  return hash ^ (hash >> 32);
}

// The number that the leading digits of a word of text spell, at most 8 of them, and how many.
struct Digits {
  uint32_t value;
  uint32_t count;
};
// The bytes of a word as digits, 0 … 9, and how many of the first ones are digits.
struct DigitBytes {
  uint64_t value;
  uint32_t count;
};
constexpr DigitBytes digit_bytes(uint64_t word) {
  const uint64_t value = word ^ 0x3030303030303030ull;
  const uint64_t other = (value | (value + 0x7676767676767676ull)) & 0x8080808080808080ull;
  return {value, other == 0 ? 8 : static_cast<uint32_t>(first_flagged(other))};
}
constexpr Digits leading_digits(uint64_t word) {
  const auto [value, count] = digit_bytes(word);
  if (count == 0) return {0, 0};
  // Zeros in front, then pairs, fours and eights of digits are joined by multiplication.
  uint64_t sum = value << (64 - 8 * count);
  sum = (sum * 10 + (sum >> 8)) & 0x00FF00FF00FF00FFull;
  sum = (sum * 100 + (sum >> 16)) & 0x0000FFFF0000FFFFull;
  sum = sum * 10000 + (sum >> 32);
  return {static_cast<uint32_t>(sum), count};
}
inline constexpr uint32_t kPowersOf10[] = {1,      10,      100,      1000,     10000,
                                           100000, 1000000, 10000000, 100000000};

// Whether JSON lets a number begin with these digits: there are some, and no zero before others.
constexpr bool begin_number(Digits digits) {
  // The least number of so many digits; no digits spell less.
  constexpr uint32_t kLeast[] = {1, 0, 10, 100, 1000, 10000, 100000, 1000000, 10000000};
  return digits.value >= kLeast[digits.count];
}
// The thousandths that digits behind a decimal point spell; those behind the third do not count.
constexpr Digits leading_thousandths(uint64_t word) {
  const auto [value, count] = digit_bytes(word);
  const uint64_t kept = low_bytes(value, count < 3 ? count : 3);
  return {static_cast<uint32_t>((kept & 0xFF) * 100 + (kept >> 8 & 0xFF) * 10 + (kept >> 16)),
          count};
}

// For text that no cursor scanned; differs from RawString::hash.
inline uint64_t hash_text(std::string_view text) {
  uint64_t hash = hash_seed() ^ text.size();
  for (; text.size() >= 8; text.remove_prefix(8)) hash = mix(hash, load8(&text.front()));
  uint64_t tail = 0;
  for (const char c : text) tail = tail << 8 | static_cast<uint8_t>(c);
  return mix(hash, tail);
}

// Whether a JSON number is too large for a double.
bool is_huge(std::string_view number);

class Cursor {
 public:
  explicit Cursor(const char* text) : p(text) {}

  const char* p;

  void skip_space() {
    while (is_space(*p)) ++p;
  }

  // The character, after any white space.
  bool take(char c) {
    skip_space();
    if (*p != c) return false;
    ++p;
    return true;
  }

  bool string(RawString& out);
  bool value(RawValue& out);

  // Passes over a damaged object from its brace to the one that closes it, aware of strings and
  // brackets but of nothing else.
  enum class Skim : uint8_t { kClosed, kUnbalanced, kTooFar, kCut };
  Skim skim_object(size_t limit);

 private:
  bool skip_string(uint8_t& traits);
  bool skip_number(uint8_t& traits);
  bool skip_literal(std::string_view literal);
  bool skip_scalar(uint8_t& traits);
  bool skip_container(uint8_t& traits);
};

// The string at an opening quote, of any length and with escapes; see scan_string().
const char* scan_long_string(const char* p, RawString& out, const char*& broken);

// The string at an opening quote; the place behind it, or null with `broken` at what broke it.
inline const char* scan_string(const char* p, RawString& out, const char*& broken) {
  const ShortText text(p + 1);
  const char* const end = p + 1 + text.length;
  if (*p != '"' || *end != '"' || text.length == kMostShort) {
    return scan_long_string(p, out, broken);
  }
  const auto word = [&](size_t i) { return word_of(p + 1, text.length, i); };
  const uint64_t seed = hash_seed();
  out.text = {p + 1, text.length};
  out.hash = mix(mix(mix(seed, word(0)), word(2)), mix(mix(~seed, word(1)), word(3)));
  out.traits = text.has_non_ascii ? kHasNonAscii : 0;
  return end + 1;
}

inline bool Cursor::string(RawString& out) {
  const char* broken = nullptr;
  const char* const behind = scan_string(p, out, broken);
  p = behind != nullptr ? behind : broken;
  return behind != nullptr;
}

}  // namespace weft::formats::json
