#include "app/view/named_colors.h"

#include <fmt/core.h>

#include "core/base/numbers.h"
#include "core/base/text.h"

namespace weft::app {

std::string text_from_rgb(layout::Rgb rgb) { return fmt::format("#{:06x}", rgb & 0xFFFFFF); }

std::optional<layout::Rgb> rgb_from_text(std::string_view text) {
  if (text.size() != 7 || text[0] != '#') return std::nullopt;
  return parse_number<layout::Rgb>(text.substr(1), 16);
}

Json json_from_colors(const NamedColors& colors) {
  Json json = Json::object();
  for (const auto& [name, rgb] : colors) json[name] = text_from_rgb(rgb);
  return json;
}

NamedColors colors_from_json(const Json& json, Complaints& complaints) {
  NamedColors colors;
  for (const auto& [name, text] : json.items()) {
    if (colors.size() == kMostNamedColors) {
      complaints.push_back(fmt::format("only {} of them are taken", format_count(colors.size())));
      break;
    }
    const auto rgb =
        text.is_string() ? rgb_from_text(text.get_ref<const std::string&>()) : std::nullopt;
    if (rgb) {
      colors[name] = *rgb;
    } else {
      complaints.push_back(fmt::format("{}: {} is not a colour (as \"#4e79a7\")",
                                       printable(name, 80), printable(json_line(text), 80)));
    }
  }
  return colors;
}

layout::Palette::UserColors user_colors(const trace::Dictionary& dictionary,
                                        const NamedColors& colors) {
  layout::Palette::UserColors of_types;
  if (colors.empty()) return of_types;
  for (uint32_t i = 0; i < dictionary.types.size(); ++i) {
    const auto color = colors.find(std::string(dictionary.types[i].name));
    if (color != colors.end()) of_types[EventTypeId(i)] = color->second;
  }
  return of_types;
}

}  // namespace weft::app
