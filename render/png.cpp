#include "render/png.h"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <system_error>

#define STB_IMAGE_WRITE_STATIC
#define STB_IMAGE_WRITE_IMPLEMENTATION
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"
#include <stb_image_write.h>
#pragma GCC diagnostic pop

namespace weft::render {
namespace {

std::vector<uint8_t> rgb_bytes(const Image& image) {
  std::vector<uint8_t> bytes;
  bytes.reserve(image.pixels.size() * 3);
  for (const uint32_t pixel : image.pixels) {
    bytes.push_back(static_cast<uint8_t>(pixel));
    bytes.push_back(static_cast<uint8_t>(pixel >> 8));
    bytes.push_back(static_cast<uint8_t>(pixel >> 16));
  }
  return bytes;
}

void write_chunk(void* file, void* data, int size) {
  static_cast<std::ofstream*>(file)->write(static_cast<const char*>(data), size);
}

}  // namespace

Image flipped(const Image& image) {
  Image result{image.width, image.height, {}};
  result.pixels.reserve(image.pixels.size());
  for (int y = image.height - 1; y >= 0; --y) {
    const auto row = image.pixels.begin() + static_cast<ptrdiff_t>(y) * image.width;
    result.pixels.insert(result.pixels.end(), row, row + image.width);
  }
  return result;
}

Status write_png(const Image& image, const std::filesystem::path& path) {
  if (image.width <= 0 || image.height <= 0) return fail(path.string() + ": an empty picture");
  auto temporary = path;
  temporary += ".part";
  {
    std::ofstream file(temporary, std::ios::binary | std::ios::trunc);
    const auto bytes = rgb_bytes(image);
    const bool is_written =
        file && stbi_write_png_to_func(write_chunk, &file, image.width, image.height, 3,
                                       bytes.data(), image.width * 3) != 0;
    file.flush();
    if (!is_written || !file) {
      const std::string reason = std::strerror(errno);
      std::error_code ignored;
      std::filesystem::remove(temporary, ignored);
      return fail(path.string() + ": cannot write: " + reason);
    }
  }
  std::error_code error;
  std::filesystem::rename(temporary, path, error);
  if (error) return fail(path.string() + ": cannot write: " + error.message());
  return {};
}

}  // namespace weft::render
