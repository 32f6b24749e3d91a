// Text in as many lines as it needs.
#pragma once

#include <string_view>
#include <vector>

#include "app/panels/panels.h"

namespace weft::app {

// The lines of a printable text in the current font, none wider than `width_px`: broken between
// words, and within one that has no room on a line of its own.
std::vector<std::string_view> wrapped(std::string_view text, float width_px);

// A note at the right of a line of its own, so that it lies upon nothing; cut where it is too long;
// then a tooltip has all of it.
void draw_note_line(const PanelInput& input, const Area& line, std::string_view note);
float note_line_height(const PanelInput& input);

}  // namespace weft::app
