#include "render/opengl/offscreen_target.h"

#include <glad/gl.h>

#include <algorithm>
#include <utility>

namespace weft::render::opengl {

BoundFramebuffer::BoundFramebuffer(uint32_t purpose, uint32_t framebuffer) : purpose_(purpose) {
  GLint before = 0;
  glGetIntegerv(
      purpose == GL_DRAW_FRAMEBUFFER ? GL_DRAW_FRAMEBUFFER_BINDING : GL_READ_FRAMEBUFFER_BINDING,
      &before);
  before_ = static_cast<GLuint>(before);
  glBindFramebuffer(purpose, framebuffer);
}

BoundFramebuffer::~BoundFramebuffer() { glBindFramebuffer(purpose_, before_); }

OffscreenTarget::OffscreenTarget(int width, int height)
    : width_(std::max(width, 1)), height_(std::max(height, 1)) {
  glGenTextures(1, &texture_);
  glBindTexture(GL_TEXTURE_2D, texture_);
  glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, width_, height_, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
  glGenFramebuffers(1, &framebuffer_);
  const BoundFramebuffer bound(GL_DRAW_FRAMEBUFFER, framebuffer_);
  glFramebufferTexture2D(GL_DRAW_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture_, 0);
}

OffscreenTarget::~OffscreenTarget() {
  glDeleteFramebuffers(1, &framebuffer_);
  glDeleteTextures(1, &texture_);
}

void OffscreenTarget::bind() const {
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_);
  glViewport(0, 0, width_, height_);
}

Image OffscreenTarget::read() const { return flipped(rows()); }

Image OffscreenTarget::rows() const {
  Image image{width_, height_, {}};
  image.pixels.resize(static_cast<size_t>(width_) * height_);
  const BoundFramebuffer bound(GL_READ_FRAMEBUFFER, framebuffer_);
  glPixelStorei(GL_PACK_ALIGNMENT, 4);
  glReadPixels(0, 0, width_, height_, GL_RGBA, GL_UNSIGNED_BYTE, image.pixels.data());
  return image;
}

void OffscreenTarget::blit(int x, int y, int framebuffer_height, RowOrder order) const {
  const BoundFramebuffer bound(GL_READ_FRAMEBUFFER, framebuffer_);
  int from = framebuffer_height - y, to = from - height_;
  if (order == RowOrder::kBottomFirst) std::swap(from, to);
  glBlitFramebuffer(0, 0, width_, height_, x, from, x + width_, to, GL_COLOR_BUFFER_BIT,
                    GL_NEAREST);
}

}  // namespace weft::render::opengl
