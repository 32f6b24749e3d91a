#include "core/formats/nettrace/nettrace_cursor.h"

#include <fmt/format.h>

#include "core/base/utf8.h"

namespace weft::formats::nettrace {

std::string utf16_text(std::string_view bytes) {
  constexpr uint32_t kHigh = 0xD800, kLow = 0xDC00, kEnd = 0xE000, kFirst = 0x10000,
                     kReplacement = 0xFFFD, kHalfBits = 10;
  std::string text;
  uint32_t high = 0;  // waits for its other half
  while (const auto unit = take_little<uint16_t>(bytes)) {
    const bool is_low = *unit >= kLow && *unit < kEnd;
    if (high != 0)
      append_utf8(text,
                  is_low ? kFirst + ((high - kHigh) << kHalfBits) + *unit - kLow : kReplacement);
    const bool is_taken = high != 0 && is_low;
    high = *unit >= kHigh && *unit < kLow ? *unit : 0;
    if (high == 0 && !is_taken) append_utf8(text, is_low ? kReplacement : *unit);
  }
  if (high != 0) append_utf8(text, kReplacement);
  return text;
}

std::string guid_text(std::string_view bytes) {
  if (bytes.find_first_not_of('\0') == std::string_view::npos) return {};
  Cursor cursor(bytes);
  const auto first = cursor.fixed<uint32_t>();
  const auto second = cursor.fixed<uint16_t>(), third = cursor.fixed<uint16_t>();
  std::string text = fmt::format("{:08x}-{:04x}-{:04x}-", first, second, third);
  constexpr int kBeforeDash = 2, kBytesLeft = 8;
  for (int i = 0; i < kBytesLeft; ++i) {
    if (i == kBeforeDash) text += '-';
    text += fmt::format("{:02x}", cursor.fixed<uint8_t>());
  }
  return text;
}

}  // namespace weft::formats::nettrace
