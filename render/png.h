// Images in ordinary memory, and writing them as PNG.
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

// Order of an image's rows in memory; OpenGL's own is bottom first.
enum class RowOrder : uint8_t { kTopFirst, kBottomFirst };

// Returns the image with its rows in reverse order.
Image flipped(Image image);

// Writes opaque 8-bit RGB, under a temporary name that is then renamed to `path`.
Status write_png(const Image& image, const std::filesystem::path& path);

}  // namespace weft::render
