// Text in as many lines as it needs.
#pragma once

#include <string_view>
#include <vector>

#include "app/panels/panels.h"

namespace weft::app {

// The lines of a printable text in the current font, none wider than `width_px`: broken between
// words, and within one that has no room on a line of its own.
std::vector<std::string_view> wrapped(std::string_view text, float width_px);

// A note on a plate at the lower right of a canvas; in a low one it is cut. While the pointer is
// there it is gone, and what it lies upon can be seen. The answer is where
// legends at the lower left may end, so that they do not lie upon it.
float draw_corner_note(const PanelInput& input, const Area& canvas, std::string_view note);

}  // namespace weft::app
