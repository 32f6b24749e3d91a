#include "core/base/text.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstring>

#include "core/base/numbers.h"
#include "core/base/utf8.h"

namespace weft {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

struct CodePoint {
  uint32_t value;
  size_t length;  // bytes taken; for invalid input 1
  bool is_valid;
};

// Decodes one code point; overlong forms, surrogates and values past U+10FFFF are invalid.
CodePoint decode(std::string_view s) {
  const auto byte = [&](size_t i) { return static_cast<uint8_t>(s[i]); };
  const uint8_t lead = byte(0);
  if (lead < 0x80) return {lead, 1, true};
  const size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || s.size() < length) return {0, 1, false};
  uint32_t value = lead & (0xFFu >> (length + 1));
  for (size_t i = 1; i < length; ++i) {
    if (begins_letter(s[i])) return {0, 1, false};
    value = value << 6 | (byte(i) & 0x3F);
  }
  constexpr uint32_t kLeast[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool is_surrogate = value >= 0xD800 && value <= 0xDFFF;
  if (value < kLeast[length] || is_surrogate || value > 0x10FFFF) return {0, 1, false};
  return {value, length, true};
}

// Characters that move text about instead of being seen.
bool acts(uint32_t c) {
  return c < 0x20 || (c >= 0x7F && c < 0xA0) || c == 0x061C || (c >= 0x200B && c <= 0x200F) ||
         (c >= 0x2028 && c <= 0x202E) || (c >= 0x2060 && c <= 0x206F) || c == 0xFEFF;
}

void append_visible(std::string& out, uint32_t c) {
  switch (c) {
    case '\n':
      out += "\\n";
      return;
    case '\r':
      out += "\\r";
      return;
    case '\t':
      out += "\\t";
      return;
    default:
      break;
  }
  out += c < 0x100 ? fmt::format("\\x{:02x}", c) : fmt::format("\\u{:04x}", c);
}

// Code points of Windows-1252 bytes 0x80 to 0x9F; 0: undefined. From 0xA0 on they equal Unicode's.
constexpr uint16_t kWindows1252[] = {
    0x20AC, 0,      0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160,
    0x2039, 0x0152, 0,      0x017D, 0,      0,      0x2018, 0x2019, 0x201C, 0x201D, 0x2022,
    0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0,      0x017E, 0x0178};

uint32_t windows_1252(uint8_t byte) {
  const bool is_moved = byte >= 0x80 && byte < 0xA0;
  return is_moved ? kWindows1252[byte - 0x80] : byte;
}

// A character of UTF-8 that a limit of length cut: its first byte, and some of the others.
bool ends_in_cut_character(std::string_view text) {
  size_t rest = 0;
  while (rest < text.size() && !begins_letter(text[text.size() - 1 - rest])) ++rest;
  if (rest >= text.size()) return false;
  const auto lead = static_cast<uint8_t>(text[text.size() - 1 - rest]);
  // Of two-byte sequences, only those of Latin letters.
  return rest == 0 ? lead == 0xC2 || lead == 0xC3 : lead >= 0xE0 && lead <= 0xF4;
}

// Guesses for text that is not valid UTF-8: no control characters, no character that only UTF-8 can
// encode, and no more letters than ASCII; of quotation marks and such, twice as many ("“q”").
bool is_windows_1252(std::string_view text) {
  size_t plain = 0, letters = 0, signs = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<uint8_t>(text[i]);
    const bool is_control = byte < 0x20 && byte != '\t' && byte != '\r' && byte != '\n';
    if (is_control || byte >= 0xFE || windows_1252(byte) == 0) return false;
    if (byte >= 0x80 && decode(text.substr(i)).is_valid) return false;
    ++(byte < 0x80 ? plain : byte < 0xA0 ? signs : letters);
  }
  return letters <= plain && signs <= 2 * plain && !ends_in_cut_character(text);
}

}  // namespace

std::string printable(std::string_view text, size_t max_bytes) {
  const size_t limit = max_bytes == 0 ? text.size() : std::min(text.size(), max_bytes);
  std::string out;
  out.reserve(limit);
  size_t i = 0;
  while (i < limit) {
    const CodePoint c = decode(text.substr(i));
    if (!c.is_valid) {
      out += kReplacement;
    } else if (acts(c.value)) {
      append_visible(out, c.value);
    } else {
      out.append(text, i, c.length);
    }
    i += c.length;
  }
  if (i < text.size()) out += fmt::format("…({} bytes)", text.size());
  return out;
}

bool is_valid_utf8(std::string_view text) {
  for (size_t i = 0; i < text.size();) {
    constexpr uint64_t kNonAscii = 0x8080808080808080ull;
    uint64_t word = 0;
    if (text.size() - i >= sizeof word) {
      std::memcpy(&word, text.data() + i, sizeof word);
      if ((word & kNonAscii) == 0) {
        i += sizeof word;
        continue;
      }
    }
    if (static_cast<uint8_t>(text[i]) < 0x80) {
      ++i;
      continue;
    }
    const CodePoint c = decode(text.substr(i));
    if (!c.is_valid) return false;
    i += c.length;
  }
  return true;
}

std::string valid_utf8(std::string_view text) {
  if (is_valid_utf8(text)) return std::string(text);
  std::string out;
  if (is_windows_1252(text)) {
    for (const char c : text) append_utf8(out, windows_1252(static_cast<uint8_t>(c)));
    return out;
  }
  for (size_t i = 0; i < text.size();) {
    const CodePoint c = decode(text.substr(i));
    if (c.is_valid) {
      out.append(text, i, c.length);
    } else {
      out += kReplacement;
    }
    i += c.length;
  }
  return out;
}

std::string format_count(uint64_t n) { return with_groups(std::to_string(n)); }

std::string format_signed_count(int64_t n) { return with_groups(std::to_string(n)); }

std::string with_groups(std::string number) {
  const size_t first = number.starts_with('-') ? 1 : 0;
  for (size_t at = std::min(number.find('.'), number.size()); at > first + 3;)
    number.insert(at -= 3, 1, ',');
  return number;
}

std::string format_bytes(uint64_t n) {
  constexpr std::string_view kUnits[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  auto value = static_cast<double>(n);
  size_t unit = 0;
  while (value >= 1024 && unit + 1 < std::size(kUnits)) {
    value /= 1024;
    ++unit;
  }
  if (unit == 0) return fmt::format("{} B", n);
  return fmt::format("{:.{}f} {}", value, value < 10 ? 2 : value < 100 ? 1 : 0, kUnits[unit]);
}

std::string hexadecimal(std::span<const std::byte> bytes) {
  std::string text;
  text.reserve(2 * bytes.size());
  for (const std::byte b : bytes) {
    text += "0123456789abcdef"[static_cast<uint8_t>(b) >> 4];
    text += "0123456789abcdef"[static_cast<uint8_t>(b) & 15];
  }
  return text;
}

std::string csv_cell(std::string_view text) {
  std::string line = printable(text, 0);
  if (line.find_first_of("\",") == std::string::npos) return line;
  std::string quoted = "\"";
  for (const char c : line) quoted.append(c == '"' ? 2 : 1, c);
  return quoted + '"';
}

uint64_t parse_bytes(std::string_view text) {
  std::string_view unit = text;
  const double value = take_number<double>(unit).value_or(0);
  if (value <= 0) return 0;
  while (unit.starts_with(' ')) unit.remove_prefix(1);
  constexpr std::string_view kPrefixes = "KMGT";
  double scale = 1;
  if (!unit.empty()) {
    const size_t power = kPrefixes.find(static_cast<char>(unit[0] & ~0x20));
    if (power != std::string_view::npos) {
      for (size_t i = 0; i <= power; ++i) scale *= 1024;
      unit.remove_prefix(1);
      if (unit.starts_with('i')) unit.remove_prefix(1);
    }
    if (!unit.empty() && unit != "B" && unit != "b") return 0;
  }
  const double bytes = value * scale;
  return bytes < 1.8e19 ? static_cast<uint64_t>(bytes) : 0;
}

}  // namespace weft
