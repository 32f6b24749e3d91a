// Images in ordinary memory, and their form as PNG.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/result.h"

namespace weft::render {

struct Image {
  int width = 0, height = 0;
  std::vector<uint32_t> pixels;  // rows from top to bottom; red in the lowest byte

  uint32_t at(int x, int y) const { return pixels[static_cast<size_t>(y) * width + x]; }
};

// Order of an image's rows in memory; OpenGL's own is bottom first.
enum class RowOrder : uint8_t { kTopFirst, kBottomFirst };

// Returns the image with its rows in reverse order.
Image flipped(Image image);

// Returns the bytes of a PNG, opaque 8-bit RGB.
Result<std::string> png_from(const Image& image);

}  // namespace weft::render
