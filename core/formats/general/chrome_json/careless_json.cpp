#include "core/formats/general/chrome_json/careless_json.h"

#include <fmt/core.h>

#include "core/base/ascii.h"
#include "core/formats/base/json_cursor.h"
#include "core/formats/base/text.h"

namespace weft::formats::chrome_json {
namespace {

bool begins_word(char c) { return is_letter(c) || c == '_'; }

// `rest`: behind the opening quote; afterwards behind the closing one.
void append_text(std::string& out, std::string_view& rest) {
  out += '"';
  while (!rest.empty()) {
    const char c = rest.front();
    const size_t length = c == '\\' && rest.size() > 1 ? 2 : 1;
    if (static_cast<unsigned char>(c) < 0x20) {
      out += fmt::format("\\u{:04x}", c);
    } else {
      out += rest.substr(0, length);
    }
    rest.remove_prefix(length);
    if (c == '"') return;
  }
}

// A word as it stands; true, false and null are none. Afterwards `rest` begins behind it.
void append_word(std::string& out, std::string_view& rest) {
  size_t length = 1;
  while (length < rest.size() && is_word_char(rest[length])) ++length;
  const std::string_view word = rest.substr(0, length);
  const bool is_json = word == "true" || word == "false" || word == "null";
  out += is_json ? std::string(word) : fmt::format("\"{}\"", word);
  rest.remove_prefix(length);
}

// Whether what follows a comma is the end of the list.
bool is_last_comma(std::string_view behind) {
  skip_white_space(behind);
  return behind.starts_with('}') || behind.starts_with(']');
}

}  // namespace

std::string mended_json(std::string_view object) {
  std::string out;
  out.reserve(object.size() + object.size() / 8);
  while (!object.empty()) {
    const char c = object.front();
    const char next = object.size() > 1 ? object[1] : '\0';
    if (begins_word(c) || (c == '-' && begins_word(next))) {
      append_word(out, object);
      continue;
    }
    // Letters that continue a number are not words: 1e9.
    if (is_digit(c)) {
      while (!object.empty() && (is_word_char(object.front()) || object.front() == '.')) {
        out += object.front();
        object.remove_prefix(1);
      }
      continue;
    }
    object.remove_prefix(1);
    if (c == '"') {
      append_text(out, object);
    } else if (c != ',' || !is_last_comma(object)) {
      out += c == '=' ? ':' : c;  // id="0x1"
    }
  }
  return out;
}

}  // namespace weft::formats::chrome_json
