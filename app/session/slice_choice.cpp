#include "app/session/slice_choice.h"

#include "app/view/named_colors.h"
#include "core/layout/palette.h"

namespace weft::app {
namespace {

uint32_t merged_color(const Json& color) {
  const auto rgb = color.is_string() ? rgb_from_text(color.get<std::string>()) : std::nullopt;
  return rgb.value_or(layout::Palette::kNeutral);
}

}  // namespace

SliceChoice slice_choice(const Json& options) {
  SliceChoice choice;
  choice.excluded = texts_in(options, "excluded");
  choice.open = texts_in(options, "open");
  choice.selected = texts_in(options, "selected");
  const auto merged = options.find("merged");
  if (merged == options.end() || !merged->is_array()) return choice;
  for (const Json& slice : *merged) {
    if (!slice.is_object() || !slice.contains("name") || !slice["name"].is_string()) continue;
    const std::set<std::string> of = texts_in(slice, "of");
    choice.merged.push_back({slice["name"].get<std::string>(),
                             merged_color(slice.value("color", Json())),
                             {of.begin(), of.end()}});
  }
  return choice;
}

Json json_from(const std::vector<MergedSlice>& merged) {
  Json json = Json::array();
  for (const MergedSlice& slice : merged) {
    json.push_back({{"name", slice.name}, {"color", text_from_rgb(slice.rgb)}, {"of", slice.of}});
  }
  return json;
}

}  // namespace weft::app
