#include "app/view/safe_colors.h"

#include <array>

#include "core/base/stable_hash.h"

namespace weft::app {
namespace {

using layout::Rgb;

constexpr std::array<Rgb, 7> kHues = {0xE69F00, 0x56B4E9, 0x009E73, 0xF0E442,
                                      0x0072B2, 0xD55E00, 0xCC79A7};

// A share of another colour, channel by channel.
Rgb mixed(Rgb color, Rgb other, double share) {
  Rgb result = 0;
  for (int shift = 0; shift <= 16; shift += 8) {
    const double a = color >> shift & 0xFF;
    const double b = other >> shift & 0xFF;
    result |= static_cast<Rgb>(a + (b - a) * share + 0.5) << shift;
  }
  return result;
}

}  // namespace

Rgb safe_color(std::string_view name, layout::Theme theme) {
  const uint64_t hash = stable_hash(name);
  const Rgb hue = kHues[hash % kHues.size()];
  const bool is_dark = theme == layout::Theme::kDark;
  switch (hash / kHues.size() % 3) {
    case 1:
      return mixed(hue, 0xFFFFFF, is_dark ? 0.45 : 0.35);
    case 2:
      return mixed(hue, 0x000000, is_dark ? 0.25 : 0.35);
    default:
      return hue;
  }
}

layout::Palette::UserColors safe_colors(const trace::Dictionary& dictionary, layout::Theme theme) {
  layout::Palette::UserColors colors;
  for (size_t i = 0; i < dictionary.types.size(); ++i) {
    const EventTypeId type(static_cast<uint32_t>(i));
    if (layout::is_grey(dictionary.type(type).rgb)) continue;
    colors[type] = safe_color(dictionary.type(type).name, theme);
  }
  return colors;
}

}  // namespace weft::app
