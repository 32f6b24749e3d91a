// Colours that the user has chosen for event types or lanes, by name: the same in every trace and
// after every start. They take precedence over the trace's own colours and over those derived from
// names.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "app/base/complaints.h"
#include "app/base/json.h"
#include "core/layout/palette.h"

namespace weft::app {

using NamedColors = std::map<std::string, layout::Rgb>;
inline constexpr size_t kMostNamedColors = 10'000;

std::string text_from_rgb(layout::Rgb rgb);  // "#4e79a7"
std::optional<layout::Rgb> rgb_from_text(std::string_view text);

// {"idle": "#4e79a7"}. Entries that are not colours are left out and reported.
Json json_from_colors(const NamedColors& colors);
NamedColors colors_from_json(const Json& json, Complaints& complaints);

// The colours of those types in the dictionary that have one. O(types).
layout::Palette::UserColors user_colors(const trace::Dictionary& dictionary,
                                        const NamedColors& colors);

}  // namespace weft::app
