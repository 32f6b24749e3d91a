// Shows bytes as rows of hexadecimal and text, as many per row as there is room for. Draws only
// what is visible.
#pragma once

#include <cstddef>
#include <span>

#include "app/panels/panels.h"

namespace weft::app {

struct ByteRange {
  size_t begin = 0;
  size_t end = 0;
  bool contains(size_t byte) const { return byte >= begin && byte < end; }
};

// Draws at the cursor of the current ImGui window, over its width; marked bytes have a background
// of their own.
void draw_hex(const PanelInput& input, std::span<const std::byte> bytes, ByteRange marked);

}  // namespace weft::app
