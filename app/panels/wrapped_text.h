// Breaks text into lines.
#pragma once

#include <string_view>
#include <vector>

#include "app/panels/panels.h"

namespace weft::app {

// The lines of a printable text in the current font, none wider than `width_px`: broken between
// words, and within a word that is too long for a line.
std::vector<std::string_view> wrapped(std::string_view text, float width_px);

// Draws a note at the right end of a line of its own, so that it covers nothing; a note that is too
// long is cut, and has a tooltip.
void draw_note_line(const PanelInput& input, const Area& line, std::string_view note);
float note_line_height(const PanelInput& input);

}  // namespace weft::app
