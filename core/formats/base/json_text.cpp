#include "core/formats/base/json_text.h"

#include <fmt/core.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <vector>

#include "core/base/text.h"
#include "core/base/utf8.h"

namespace weft::formats::json {
namespace {

constexpr uint32_t kReplacement = 0xFFFD;

constexpr uint64_t kOnes = 0x0101010101010101, kHighs = 0x80 * kOnes;

// The high bit of each byte that a JSON string escapes; behind the lowest of them also of others.
uint64_t escaped_bytes(uint64_t word) {
  const uint64_t quotes = word ^ kOnes * '"', backslashes = word ^ kOnes * '\\';
  return (((word - kOnes * 0x20) & ~word) | ((quotes - kOnes) & ~quotes) |
          ((backslashes - kOnes) & ~backslashes)) &
         kHighs;
}

template <class Word>
uint64_t word_at(const char* text) {
  Word word;
  std::memcpy(&word, text, sizeof word);
  return word;
}

// Whether all bytes are ASCII and stand in a JSON string as they are: most texts, most of them
// short.
bool is_plain_ascii(std::string_view text) {
  const auto is_plain = [](uint64_t word) { return (escaped_bytes(word) | (word & kHighs)) == 0; };
  const char* const begin = text.data();
  const char* const end = begin + text.size();
  if (text.size() >= 8) {
    for (const char* at = begin; at < end - 8; at += 8) {
      if (!is_plain(word_at<uint64_t>(at))) return false;
    }
    return is_plain(word_at<uint64_t>(end - 8));
  }
  if (text.size() >= 4)
    return is_plain(word_at<uint32_t>(begin) | word_at<uint32_t>(end - 4) << 32);
  if (text.empty()) return true;
  const auto byte = [&](size_t i) { return uint64_t{static_cast<uint8_t>(text[i])}; };
  constexpr uint64_t kRest = kOnes * 'a' << 24;
  return is_plain(kRest | byte(0) | byte(text.size() / 2) << 8 | byte(text.size() - 1) << 16);
}

// Appends plain text in quotes, and what follows them.
void append_plain(std::string& out, std::string_view text, std::string_view tail) {
  // The capacity is what the function is told in libstdc++ 12.
  const size_t before = out.size(), size = before + text.size() + 2 + tail.size();
  out.resize_and_overwrite(size, [&](char* all, size_t) {
    char* at = all + before;
    *at++ = '"';
    at = std::copy(text.begin(), text.end(), at);
    *at++ = '"';
    std::copy(tail.begin(), tail.end(), at);
    return size;
  });
}

// Moves bytes that stand in a JSON string as they are to `to`: up to eight, or the first that does
// not. Returns how many; there must be room for eight.
size_t take_plain(std::string_view& text, char* to) {
  uint64_t word = 0;
  size_t count = 0;
  if (text.size() >= sizeof word) {
    std::memcpy(&word, text.data(), sizeof word);
    std::memcpy(to, &word, sizeof word);
    const uint64_t found = escaped_bytes(word);
    count = found == 0 ? sizeof word : static_cast<size_t>(std::countr_zero(found)) / 8;
  } else {
    const auto is_plain = [](char c) {
      return c != '"' && c != '\\' && static_cast<uint8_t>(c) >= 0x20;
    };
    for (; count < text.size() && is_plain(text[count]); ++count) to[count] = text[count];
  }
  text.remove_prefix(count);
  return count;
}

// The four digits of \uXXXX; UINT32_MAX where they are none.
uint32_t hex4(std::string_view s) {
  if (s.size() < 4) return UINT32_MAX;
  uint32_t value = 0;
  for (const char c : s.substr(0, 4)) {
    const char lower = static_cast<char>(c | 0x20);
    if (!is_digit(c) && (lower < 'a' || lower > 'f')) return UINT32_MAX;
    value = value << 4 | static_cast<uint32_t>(is_digit(c) ? c - '0' : lower - 'a' + 10);
  }
  return value;
}

bool is_high_surrogate(uint32_t c) { return c >= 0xD800 && c < 0xDC00; }
bool is_low_surrogate(uint32_t c) { return c >= 0xDC00 && c < 0xE000; }

struct Escape {
  uint32_t character = kReplacement;
  size_t length = 2;  // in the text
  bool is_valid = false;
};

// The escape that `s` begins with; a surrogate pair counts as one.
Escape decode_escape(std::string_view s) {
  if (s.size() < 2) return {kReplacement, s.size(), false};
  switch (s[1]) {
    case '"':
    case '\\':
    case '/':
      return {static_cast<uint32_t>(s[1]), 2, true};
    case 'b':
      return {'\b', 2, true};
    case 'f':
      return {'\f', 2, true};
    case 'n':
      return {'\n', 2, true};
    case 'r':
      return {'\r', 2, true};
    case 't':
      return {'\t', 2, true};
    case 'u':
      break;
    default:
      return {kReplacement, 2, false};
  }
  const uint32_t first = hex4(s.substr(2));
  if (first == UINT32_MAX) return {kReplacement, 2, false};
  if (is_low_surrogate(first)) return {kReplacement, 6, false};
  if (!is_high_surrogate(first)) return {first, 6, true};
  if (s.size() >= 12 && s[6] == '\\' && s[7] == 'u') {
    const uint32_t second = hex4(s.substr(8));
    if (is_low_surrogate(second)) {
      return {0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00), 12, true};
    }
  }
  return {kReplacement, 6, false};
}

// Copies the text of a string, escapes and all; those that stand for nothing become \ufffd.
bool append_repaired(std::string& out, std::string_view raw) {
  bool is_repaired = false;
  while (!raw.empty()) {
    const size_t plain = std::min(raw.find('\\'), raw.size());
    out += raw.substr(0, plain);
    raw.remove_prefix(plain);
    if (raw.empty()) break;
    const Escape escape = decode_escape(raw);
    if (escape.is_valid) {
      out += raw.substr(0, escape.length);
    } else {
      out += "\\ufffd";
      is_repaired = true;
    }
    raw.remove_prefix(escape.length);
  }
  return is_repaired;
}

}  // namespace

DecodedText decode_string(std::string_view raw) {
  DecodedText decoded;
  while (!raw.empty()) {
    const size_t plain = std::min(raw.find('\\'), raw.size());
    decoded.text += raw.substr(0, plain);
    raw.remove_prefix(plain);
    if (raw.empty()) break;
    const Escape escape = decode_escape(raw);
    append_utf8(decoded.text, escape.character);
    decoded.is_repaired |= !escape.is_valid;
    raw.remove_prefix(escape.length);
  }
  if (!is_valid_utf8(decoded.text)) {
    decoded.text = valid_utf8(decoded.text);
    decoded.is_repaired = true;
  }
  return decoded;
}

bool append_compact(std::string& out, const RawValue& value) {
  if ((value.traits & kIsNotCompact) == 0) {
    out += value.text;
    return false;
  }
  bool is_repaired = false;
  const size_t begin = out.size();
  std::string_view rest = value.text;
  while (!rest.empty()) {
    if ((value.traits & kHasHuge) != 0 && (rest[0] == '-' || is_digit(rest[0]))) {
      const std::string_view number = rest.substr(0, rest.find_first_not_of("+-.0123456789Ee"));
      const std::string_view quote = is_huge(number) ? "\"" : "";
      out.append(quote).append(number).append(quote);
      rest.remove_prefix(number.size());
      continue;
    }
    if (rest[0] != '"') {
      if (!is_space(rest[0])) out += rest[0];
      rest.remove_prefix(1);
      continue;
    }
    size_t end = 1;
    while (end < rest.size() && rest[end] != '"') end += rest[end] == '\\' ? 2 : 1;
    out += '"';
    is_repaired |= append_repaired(out, rest.substr(1, end - 1));
    out += '"';
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  if ((value.traits & kHasNonAscii) != 0) {
    const std::string_view made = std::string_view(out).substr(begin);
    if (!is_valid_utf8(made)) {
      out.replace(begin, std::string::npos, valid_utf8(made));
      is_repaired = true;
    }
  }
  return is_repaired;
}

// Texts with many escapes, such as arguments of system calls, have few bytes between them: what is
// written is gathered first.
void append_quoted(std::string& out, std::string_view text) {
  constexpr size_t kRoom = 256, kMostAtOnce = 8;
  char room[kRoom + 2 * kMostAtOnce];
  char* to = room;
  *to++ = '"';
  while (!text.empty()) {
    if (to > room + kRoom) {
      out.append(room, to);
      to = room;
    }
    const size_t plain = take_plain(text, to);
    to += plain;
    if (text.empty() || plain == kMostAtOnce) continue;
    const char c = text.front();
    text.remove_prefix(1);
    if (static_cast<uint8_t>(c) < 0x20) {
      to = fmt::format_to(to, "\\u{:04x}", static_cast<unsigned>(c));
    } else {
      *to++ = '\\';
      *to++ = c;
    }
  }
  *to++ = '"';
  out.append(room, to);
}

void append_quoted_bytes(std::string& out, std::string_view bytes) {
  if (is_plain_ascii(bytes)) return append_plain(out, bytes, {});
  if (is_valid_utf8(bytes)) return append_quoted(out, bytes);
  append_quoted(out, valid_utf8(bytes));
}

void append_quoted_name(std::string& out, std::string_view bytes) {
  if (is_plain_ascii(bytes)) return append_plain(out, bytes, ":");
  append_quoted_bytes(out, bytes);
  out += ':';
}

std::string merge_objects(std::string_view first, std::string_view second) {
  const std::string padding(kTextPadding, '\0');
  const std::string padded_first = std::string(first) + padding;
  const std::string padded_second = std::string(second) + padding;
  std::vector<std::string_view> names;
  for_each_member(padded_second,
                  [&](const RawString& name, const RawValue&) { names.push_back(name.text); });
  std::string out = "{";
  for_each_member(padded_first, [&](const RawString& name, const RawValue& value) {
    if (std::ranges::find(names, name.text) != names.end()) return;
    out.append("\"").append(name.text).append("\":").append(value.text).append(",");
  });
  out += second.substr(1);
  return out;
}

}  // namespace weft::formats::json
