// Bytes as rows of hexadecimal and text: as many a row as there is room for. Draws what is seen.
#pragma once

#include <cstddef>
#include <span>

#include "app/panels/panels.h"

namespace weft::app {

// At the cursor of the current ImGui window, over its width.
void draw_hex(const PanelInput& input, std::span<const std::byte> bytes);

}  // namespace weft::app
