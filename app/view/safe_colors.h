// Colours of event types that people who see few hues can tell apart, chosen by name: the seven of
// Okabe and Ito ("Color Universal Design", 2008), each at three lightnesses, so that neighbours
// differ in more than hue. They take the place of colours that the trace itself gives, but not of
// its greys: these recede, and everybody tells them from hues.
#pragma once

#include <string_view>

#include "core/layout/palette.h"

namespace weft::app {

layout::Rgb safe_color(std::string_view name, layout::Theme theme);
// For every type of the dictionary that is not grey; O(types).
layout::Palette::UserColors safe_colors(const trace::Dictionary& dictionary, layout::Theme theme);

}  // namespace weft::app
