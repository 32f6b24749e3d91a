#include "core/formats/general/chrome_json/plain_spelling.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>

#include "core/formats/base/json_text.h"

namespace weft::formats::chrome_json {
namespace {

constexpr size_t kUnicodeLength = 6;  // of \uXXXX

// The escapes \uXXXX that the text begins with, of which two may be one character.
std::string_view leading_unicode(std::string_view text) {
  constexpr std::string_view kHex = "0123456789abcdefABCDEF";
  size_t length = 0;
  for (std::string_view rest = text; rest.size() >= kUnicodeLength && rest.starts_with("\\u");
       rest.remove_prefix(kUnicodeLength)) {
    if (rest.substr(2, 4).find_first_not_of(kHex) != std::string_view::npos) break;
    length += kUnicodeLength;
  }
  return text.substr(0, length);
}

void append_character(std::string& out, char c) {
  constexpr std::string_view kEscaped = "\"\\\b\f\n\r\t", kLetters = "\"\\bfnrt";
  const size_t at = kEscaped.find(c);
  if (at != std::string_view::npos) {
    out.append({'\\', kLetters[at]});
  } else if (static_cast<uint8_t>(c) < 0x20) {
    fmt::format_to(std::back_inserter(out), "\\u{:04x}", static_cast<unsigned>(c));
  } else {
    out += c;
  }
}

// Moves the escape, or the run of them, that `rest` begins with.
void take_escape(std::string_view& rest, std::string& out) {
  std::string_view escape = leading_unicode(rest);
  if (escape.empty()) escape = rest.substr(0, 2);
  const json::DecodedText decoded = json::decode_string(escape);
  if (decoded.is_repaired) {
    out += escape;
  } else {
    for (const char c : decoded.text) append_character(out, c);
  }
  rest.remove_prefix(escape.size());
}

}  // namespace

bool is_spelled_plainly(std::string_view json) {
  for (size_t at = json.find('\\'); at < json.size(); at = json.find('\\', at + 2)) {
    const char next = at + 1 < json.size() ? json[at + 1] : '\0';
    if (next == 'u' || next == '/') return false;
  }
  return true;
}

std::string spelled_plainly(std::string_view json) {
  std::string out;
  while (!json.empty()) {
    const size_t before = std::min(json.find('\\'), json.size());
    out += json.substr(0, before);
    json.remove_prefix(before);
    if (!json.empty()) take_escape(json, out);
  }
  return out;
}

}  // namespace weft::formats::chrome_json
