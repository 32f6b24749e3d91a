// Helpers for readers of text.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/base/ascii.h"
#include "core/base/numbers.h"

namespace weft::formats {

// The same bytes as characters.
inline std::string_view as_chars(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// Returns the last component of a Linux or Windows path.
inline std::string_view file_name_of(std::string_view path) {
  return path.substr(path.find_last_of("/\\") + 1);  // npos + 1 is 0
}

// Returns the size of the blank lines with which the text begins.
inline size_t blank_lines_bytes(std::span<const std::byte> text) {
  size_t bytes = 0;
  for (size_t i = 0; i < text.size() && is_space(static_cast<char>(text[i])); ++i) {
    if (text[i] == std::byte{'\n'}) bytes = i + 1;
  }
  return bytes;
}

// Returns the position of the first of some characters, or the text's end.
template <char... kSigns>
constexpr size_t find_any(std::string_view text) {
  const auto* const it = std::ranges::find_if(text, [](char c) { return ((c == kSigns) || ...); });
  return static_cast<size_t>(it - text.begin());
}

// Whether the text begins with `prefix`, which is then removed. In line, a prefix that is known
// takes no call, as starts_with() does.
constexpr bool take_prefix(std::string_view& text, std::string_view prefix) {
  if (text.size() < prefix.size() ||
      std::char_traits<char>::compare(text.data(), prefix.data(), prefix.size()) != 0)
    return false;
  text.remove_prefix(prefix.size());
  return true;
}

// Returns the number as it is, or with points for the commas of some languages, in `scratch`.
inline std::string_view with_points(std::string_view number, std::string& scratch) {
  if (!number.contains(',')) return number;
  scratch = number;
  std::ranges::replace(scratch, ',', '.');
  return scratch;
}

inline void skip_spaces(std::string_view& text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
}

inline void skip_white_space(std::string_view& text) {
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
}

// Returns what stands between double quotes, or all of a text that has none around it.
inline std::string_view without_quotes(std::string_view text) {
  const bool has_quotes = text.size() > 1 && text.starts_with('"') && text.ends_with('"');
  return has_quotes ? text.substr(1, text.size() - 2) : text;
}

// Returns the word for a number; empty if there is none.
template <size_t kCount>
constexpr std::string_view word_at(const std::string_view (&words)[kCount], uint64_t number) {
  return number < kCount ? words[number] : std::string_view();
}

// Returns what precedes `sign`, or all of the text; removes it together with the sign.
inline std::string_view take_to(std::string_view& text, char sign) {
  const std::string_view before = text.substr(0, text.find(sign));
  text.remove_prefix(std::min(text.size(), before.size() + 1));
  return before;
}

// Whether one of the eight bytes at `at` is white space or another control character; may say so of
// others behind such a byte.
inline bool has_space(const char* at) {
  constexpr uint64_t kOnes = 0x0101010101010101, kHighs = 0x80 * kOnes;
  uint64_t word = 0;
  std::memcpy(&word, at, sizeof word);
  return ((word - kOnes * ('!')) & ~word & kHighs) != 0;
}

// Removes and returns the next word; empty at the end.
inline std::string_view take_word(std::string_view& text) {
  const char* begin = std::to_address(text.begin());
  const char* const end = begin + text.size();
  while (begin != end && is_space(*begin)) ++begin;
  const char* behind = begin;
  while (end - behind >= 8 && !has_space(behind)) behind += 8;
  while (behind != end && !is_space(*behind)) ++behind;
  text = {behind, end};
  return {begin, behind};
}

// Removes and returns the last word, and trims what is left; empty if there is none.
inline std::string_view take_last_word(std::string_view& text) {
  text = trimmed(text);
  const std::string_view word = text.substr(text.find_last_of(" \t") + 1);  // npos + 1 is 0
  text = trimmed(text.substr(0, text.size() - word.size()));
  return word;
}

// Removes a leading hexadecimal number without "0x".
inline std::optional<uint64_t> take_hexadecimal(std::string_view& text) {
  return take_number<uint64_t>(text, 16);
}

// Removes a leading hexadecimal number with "0x", as addresses are written.
inline std::optional<uint64_t> take_address(std::string_view& text) {
  return take_prefix(text, "0x") ? take_hexadecimal(text) : std::nullopt;
}

}  // namespace weft::formats
