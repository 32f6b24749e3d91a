// The colours that the user has given to event types, or to lanes, by name: the same in every trace
// and at every start. They go before those that the trace gives, and before those chosen by name.
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

// {"idle": "#4e79a7"}; what is none is left out, and complained of.
Json json_from_colors(const NamedColors& colors);
NamedColors colors_from_json(const Json& json, Complaints& complaints);

// For the types of a dictionary that have such a name; O(types).
layout::Palette::UserColors user_colors(const trace::Dictionary& dictionary,
                                        const NamedColors& colors);

}  // namespace weft::app
