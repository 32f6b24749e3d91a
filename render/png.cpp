#include "render/png.h"

#include <png.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <memory>
#include <system_error>

#include "core/base/os_error.h"

namespace weft::render {
namespace {

std::vector<uint8_t> rgb_bytes(const Image& image) {
  std::vector<uint8_t> bytes(image.pixels.size() * 3);
  uint8_t* next = bytes.data();
  for (const uint32_t pixel : image.pixels) {
    *next++ = static_cast<uint8_t>(pixel);
    *next++ = static_cast<uint8_t>(pixel >> 8);
    *next++ = static_cast<uint8_t>(pixel >> 16);
  }
  return bytes;
}

Status write_bytes(const Image& image, const std::filesystem::path& path) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "wb"),
                                                             &std::fclose);
  if (!file) return fail(os_error("cannot write"));
  png_image header{};
  header.version = PNG_IMAGE_VERSION;
  header.width = static_cast<png_uint_32>(image.width);
  header.height = static_cast<png_uint_32>(image.height);
  header.format = PNG_FORMAT_RGB;
  // No filters and a low level: a screen of flat areas grows by a tenth and takes a third as long.
  header.flags = PNG_IMAGE_FLAG_FAST;
  errno = 0;
  const bool is_written =
      png_image_write_to_stdio(&header, file.get(), 0, rgb_bytes(image).data(), 0, nullptr) != 0 &&
      std::fflush(file.get()) == 0;
  if (is_written) return {};
  return fail(errno != 0 ? os_error("cannot write")
                         : Error{std::string("cannot write: ") + header.message});
}

}  // namespace

Image flipped(Image image) {
  const auto row = [&](int y) {
    return image.pixels.begin() + static_cast<ptrdiff_t>(y) * image.width;
  };
  for (int y = 0; y < image.height / 2; ++y) {
    std::swap_ranges(row(y), row(y + 1), row(image.height - 1 - y));
  }
  return image;
}

Status write_png(const Image& image, const std::filesystem::path& path) {
  if (image.width <= 0 || image.height <= 0) return fail(path.string() + ": an empty picture");
  auto temporary = path;
  temporary += ".part";
  if (Status written = write_bytes(image, temporary); !written) {
    std::error_code ignored;
    std::filesystem::remove(temporary, ignored);
    return fail(std::move(written).error().context(path.string()));
  }
  std::error_code error;
  std::filesystem::rename(temporary, path, error);
  if (error) return fail(path.string() + ": cannot write: " + error.message());
  return {};
}

}  // namespace weft::render
