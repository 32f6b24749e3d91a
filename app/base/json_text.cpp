#include "app/base/json_text.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdint>

#include "app/base/json.h"
#include "core/base/text.h"

namespace weft::app {

std::string json_string(std::string_view text) { return tame_json(json_line(Json(text))); }

std::string tame_json(std::string json) {
  // The lead bytes of characters that may act on a terminal; no others do.
  constexpr std::string_view kLeads = "\x7F\xC2\xD8\xE2\xEF";
  // Control characters of ASCII stand between tokens only: strings cannot hold them.
  std::ranges::replace_if(json, [](char c) { return static_cast<uint8_t>(c) < 0x20; }, ' ');
  size_t at = json.find_first_of(kLeads);
  if (at == std::string::npos) return json;
  std::string tame = json.substr(0, at);
  while (at < json.size()) {
    const auto lead = static_cast<uint8_t>(json[at]);
    const size_t length = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : 3;
    const std::string_view character = std::string_view(json).substr(at, length);
    if (printable(character, 0) == character) {
      tame += character;
    } else {
      const uint32_t value = lead == 0x7F  ? 0x7F
                             : length == 2 ? (lead & 0x1Fu) << 6 | (character[1] & 0x3Fu)
                                           : (lead & 0x0Fu) << 12 | (character[1] & 0x3Fu) << 6 |
                                                 (character[2] & 0x3Fu);
      tame += fmt::format("\\u{:04x}", value);
    }
    const size_t next = std::min(json.find_first_of(kLeads, at + length), json.size());
    tame.append(json, at + length, next - at - length);
    at = next;
  }
  return tame;
}

}  // namespace weft::app
