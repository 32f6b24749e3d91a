#include "core/formats/profiles/nettrace/nettrace_cursor.h"

#include <fmt/format.h>

#include "core/base/utf16.h"

namespace weft::formats::nettrace {

std::string utf16_text(std::string_view bytes) {
  std::string text;
  Utf16Letters letters;
  while (const auto unit = take_little<uint16_t>(bytes)) letters.add(*unit, text);
  letters.finish(text);
  return text;
}

std::string guid_text(std::string_view bytes) {
  if (bytes.find_first_not_of('\0') == std::string_view::npos) return {};
  Cursor cursor(bytes);
  const auto first = cursor.little<uint32_t>();
  const auto second = cursor.little<uint16_t>(), third = cursor.little<uint16_t>();
  std::string text = fmt::format("{:08x}-{:04x}-{:04x}-", first, second, third);
  constexpr int kBeforeDash = 2, kBytesLeft = 8;
  for (int i = 0; i < kBytesLeft; ++i) {
    if (i == kBeforeDash) text += '-';
    text += fmt::format("{:02x}", cursor.little<uint8_t>());
  }
  return text;
}

}  // namespace weft::formats::nettrace
