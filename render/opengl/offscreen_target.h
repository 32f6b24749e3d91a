// A framebuffer of our own, into a texture: colour only, RGBA8. It stands in for the window, or
// holds a picture.
#pragma once

#include <cstdint>

#include "render/png.h"

namespace weft::render::opengl {

// For drawing (GL_DRAW_FRAMEBUFFER) or reading until it goes; then what was bound is so again.
class BoundFramebuffer {
 public:
  BoundFramebuffer(uint32_t purpose, uint32_t framebuffer);
  ~BoundFramebuffer();
  BoundFramebuffer(const BoundFramebuffer&) = delete;
  BoundFramebuffer& operator=(const BoundFramebuffer&) = delete;

 private:
  uint32_t purpose_, before_;
};

// A context must be current, and OpenGL loaded (load_opengl).
class OffscreenTarget {
 public:
  OffscreenTarget(int width, int height);
  ~OffscreenTarget();
  OffscreenTarget(const OffscreenTarget&) = delete;
  OffscreenTarget& operator=(const OffscreenTarget&) = delete;

  int width() const { return width_; }
  int height() const { return height_; }
  uint64_t size_bytes() const { return static_cast<uint64_t>(width_) * height_ * 4; }
  uint32_t framebuffer() const { return framebuffer_; }
  uint32_t texture() const { return texture_; }
  // Binds it for drawing and reading, with a viewport over all of it.
  void bind() const;
  void clear(float r, float g, float b) const;  // binds it
  Image read() const;                           // top row first
  Image rows() const;                           // as they lie
  // Copies it into what is bound for drawing, its top left there; `order`: of what was drawn.
  void blit(int x, int y, int framebuffer_height, RowOrder order) const;

 private:
  int width_, height_;
  uint32_t framebuffer_ = 0;
  uint32_t texture_ = 0;
};

}  // namespace weft::render::opengl
