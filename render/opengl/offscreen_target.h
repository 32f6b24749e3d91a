// A framebuffer of our own that stands in for the window: colour only, RGBA8.
#pragma once

#include <cstdint>

#include "render/png.h"

namespace weft::render::opengl {

// Move-only owner. A context must be current, and OpenGL loaded (load_opengl).
class OffscreenTarget {
 public:
  OffscreenTarget(int width, int height);
  ~OffscreenTarget();
  OffscreenTarget(const OffscreenTarget&) = delete;
  OffscreenTarget& operator=(const OffscreenTarget&) = delete;

  int width() const { return width_; }
  int height() const { return height_; }
  // Binds it for drawing and reading, with a viewport over all of it.
  void bind() const;
  void clear(float r, float g, float b) const;  // binds it
  Image read() const;                           // top row first

 private:
  int width_, height_;
  uint32_t framebuffer_ = 0;
  uint32_t texture_ = 0;
};

}  // namespace weft::render::opengl
