// Pixels in ordinary memory, and writing them as PNG.
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "core/base/result.h"

namespace weft::render {

struct Image {
  int width = 0, height = 0;
  std::vector<uint32_t> pixels;  // rows from top to bottom; red in the lowest byte

  uint32_t at(int x, int y) const { return pixels[static_cast<size_t>(y) * width + x]; }
};

// How the rows of an image lie in memory; OpenGL's own begin with the bottom.
enum class RowOrder : uint8_t { kTopFirst, kBottomFirst };

// Rows in the opposite order.
Image flipped(Image image);

// Opaque 8-bit RGB. Written under a temporary name and renamed into place.
Status write_png(const Image& image, const std::filesystem::path& path);

}  // namespace weft::render
