// A picture's render target, as large as the picture, which counts towards the memory of all
// pictures.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

#include "render/opengl/offscreen_target.h"

namespace weft::render::opengl {

class PictureTarget {
 public:
  // `bytes_of_all` must outlive this object.
  explicit PictureTarget(uint64_t& bytes_of_all) : bytes_of_all_(bytes_of_all) {}
  ~PictureTarget() { drop(); }
  PictureTarget(const PictureTarget&) = delete;
  PictureTarget& operator=(const PictureTarget&) = delete;

  // Resizes the target; its content is lost if the size differs.
  const OffscreenTarget& resize(int width, int height) {
    width = std::max(width, 1);
    height = std::max(height, 1);
    if (!target_ || target_->width() != width || target_->height() != height) {
      drop();
      bytes_of_all_ += target_.emplace(width, height).size_bytes();
    }
    return *target_;
  }
  // Null before the first resize().
  const OffscreenTarget* get() const { return target_ ? &*target_ : nullptr; }

 private:
  void drop() {
    if (target_) bytes_of_all_ -= target_->size_bytes();
    target_.reset();
  }

  uint64_t& bytes_of_all_;
  std::optional<OffscreenTarget> target_;
};

}  // namespace weft::render::opengl
