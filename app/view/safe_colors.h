// Colours of event types for colour-blind people, derived from names: the seven of Okabe and Ito
// ("Color Universal Design", 2008), each at three lightnesses, so that neighbours differ in more
// than hue. They replace the trace's own colours except greys, which recede and can be told from
// any hue.
#pragma once

#include <string_view>

#include "core/layout/palette.h"

namespace weft::app {

layout::Rgb safe_color(std::string_view name, layout::Theme theme);
// Colours for every type of the dictionary that is not grey. O(types).
layout::Palette::UserColors safe_colors(const trace::Dictionary& dictionary, layout::Theme theme);

}  // namespace weft::app
