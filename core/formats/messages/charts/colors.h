// Colours as charts name them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string_view>

#include "core/base/ascii.h"
#include "core/formats/base/text.h"
#include "core/formats/messages/charts/tokens.h"

namespace weft::formats::charts {

// "#rrggbb", or a name.
inline std::optional<uint32_t> color_of(std::string_view text) {
  struct Named {
    std::string_view name;
    uint32_t rgb;
  };
  static constexpr Named kNamed[] = {
      {"white", 0xFFFFFF},  {"silver", 0xC0C0C0}, {"gray", 0x808080},   {"grey", 0x808080},
      {"black", 0x000000},  {"maroon", 0x800000}, {"red", 0xFF0000},    {"orange", 0xFFB000},
      {"yellow", 0xFFFF00}, {"olive", 0x808000},  {"green", 0x00FF00},  {"lime", 0x00FF00},
      {"aqua", 0x00FFFF},   {"teal", 0x008080},   {"blue", 0x0000FF},   {"navy", 0x000080},
      {"indigo", 0x440088}, {"purple", 0x800080}, {"violet", 0xD02090}, {"fuchsia", 0xFF00FF}};
  if (text.empty()) return std::nullopt;
  constexpr size_t kDigits = 6;
  if (take_prefix(text, "#")) {
    const bool is_whole = text.size() == kDigits;
    const auto rgb = take_hexadecimal(text);
    return is_whole && rgb && text.empty() ? std::optional(static_cast<uint32_t>(*rgb))
                                           : std::nullopt;
  }
  const auto* const named = std::ranges::find_if(
      kNamed, [text](const Named& each) { return equals_ignoring_case(each.name, text); });
  return named == std::end(kNamed) ? std::nullopt : std::optional(named->rgb);
}

}  // namespace weft::formats::charts
