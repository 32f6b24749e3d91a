#include "core/formats/base/own_csv.h"

#include <optional>

#include "core/base/text.h"
#include "core/base/utf8.h"
#include "core/formats/base/text.h"

namespace weft::formats {
namespace {

// Takes the escape after a backslash; nullopt if printable() never writes it.
std::optional<uint32_t> take_sign(std::string_view& text) {
  constexpr size_t kDigitsOfByte = 2, kDigitsOfCharacter = 4;
  if (take_prefix(text, "\\")) return '\\';
  if (take_prefix(text, "n")) return '\n';
  if (take_prefix(text, "r")) return '\r';
  if (take_prefix(text, "t")) return '\t';
  const size_t digits = text.starts_with('x')   ? kDigitsOfByte
                        : text.starts_with('u') ? kDigitsOfCharacter
                                                : 0;
  if (digits == 0 || text.size() < 1 + digits) return std::nullopt;
  const auto character = parse_number<uint32_t>(text.substr(1, digits), 16);
  if (character) text.remove_prefix(1 + digits);
  return character;
}

}  // namespace

std::string visible_name(std::string_view name) {
  std::string text = printable(name, 0);
  if (!text.contains('\\') || name_from_visible(text) == name) return text;
  std::string doubled;
  for (const char c : name) doubled.append(c == '\\' ? 2 : 1, c);
  return printable(doubled, 0);
}

std::string visible_path(const trace::Dictionary& dictionary, LaneId lane) {
  std::string path;
  for (const std::string& name : dictionary.path(lane)) {
    if (!path.empty()) path += '/';
    for (const char c : name) {
      if (c == '/') path += '\\';
      path += c;
    }
  }
  return visible_name(path);
}

std::string name_from_visible(std::string_view text) {
  std::string name;
  while (!text.empty()) {
    const size_t plain = std::min(text.find('\\'), text.size());
    name += text.substr(0, plain);
    text.remove_prefix(plain);
    if (!take_prefix(text, "\\")) break;
    if (const auto sign = take_sign(text)) {
      append_utf8(name, *sign);
    } else {
      name += '\\';
    }
  }
  return name;
}

}  // namespace weft::formats
