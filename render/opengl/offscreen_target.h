// An offscreen framebuffer over a texture: colour only, RGBA8. Stands in for the window, or holds a
// picture.
#pragma once

#include <cstdint>

#include "render/png.h"

namespace weft::render::opengl {

// Binds a framebuffer for drawing (GL_DRAW_FRAMEBUFFER) or reading while it lives; the destructor
// restores the previous binding.
class BoundFramebuffer {
 public:
  BoundFramebuffer(uint32_t purpose, uint32_t framebuffer);
  ~BoundFramebuffer();
  BoundFramebuffer(const BoundFramebuffer&) = delete;
  BoundFramebuffer& operator=(const BoundFramebuffer&) = delete;

 private:
  uint32_t purpose_, before_;
};

// A context must be current and OpenGL loaded (load_opengl).
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
  Image read() const;  // top row first
  Image rows() const;  // in memory order
  // Copies it into the framebuffer bound for drawing, its top left at (x, y); `order` is that of
  // its rows.
  void blit(int x, int y, int framebuffer_height, RowOrder order) const;

 private:
  int width_, height_;
  uint32_t framebuffer_ = 0;
  uint32_t texture_ = 0;
};

}  // namespace weft::render::opengl
