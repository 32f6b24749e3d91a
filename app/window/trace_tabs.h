// The tabs of the open traces, in the menu bar.
#pragma once

#include "app/window/chrome.h"

namespace weft::app {

// Draws one tab for each open trace, from ImGui's cursor to the right end of the menu bar. Where
// they would become too narrow to be told apart, it draws those around the current one and a menu
// of all.
void draw_trace_tabs(const ChromeInput& input);

}  // namespace weft::app
