#include "render/opengl/painted_renderer.h"

#include <glad/gl.h>

#include <algorithm>

#include "render/opengl/driver.h"
#include "render/slot_pool.h"
#include "render/software/software_painter.h"

namespace weft::render::opengl {
namespace {

constexpr uint32_t kPaintedSlots = 1 << 15;

// A picture in ordinary memory and its copy in a texture. The texture's rows run as OpenGL's do,
// from the bottom up: a copy that turns rows over goes through the driver's shaders, and costs
// forty times as much.
class PaintedPicture final : public Picture {
 public:
  PaintedPicture(SoftwarePainter& painter, uint64_t& texture_bytes)
      : painter_(painter), texture_bytes_(texture_bytes) {}
  ~PaintedPicture() override { drop(); }

  void draw(const DrawBatch& batch, int width, int height) override {
    resize(std::max(width, 1), std::max(height, 1));
    painter_.paint(batch, image_, RowOrder::kBottomFirst);
    is_uploaded_ = false;
  }

  void blit(int x, int y, int framebuffer_height) override {
    if (texture_ == 0) return;
    upload();
    GLint bound = 0;
    glGetIntegerv(GL_READ_FRAMEBUFFER_BINDING, &bound);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, framebuffer_);
    const int bottom = framebuffer_height - y - image_.height;
    glBlitFramebuffer(0, 0, image_.width, image_.height, x, bottom, x + image_.width,
                      bottom + image_.height, GL_COLOR_BUFFER_BIT, GL_NEAREST);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, static_cast<GLuint>(bound));
  }

  Image read() const override { return flipped(image_); }

 private:
  uint64_t size_bytes() const { return image_.pixels.size() * sizeof(uint32_t); }

  void upload() {
    if (is_uploaded_) return;
    is_uploaded_ = true;
    glBindTexture(GL_TEXTURE_2D, texture_);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, image_.width, image_.height, GL_RGBA, GL_UNSIGNED_BYTE,
                    image_.pixels.data());
  }

  void resize(int width, int height) {
    if (width == image_.width && height == image_.height) return;
    drop();
    image_ = {width, height, {}};
    image_.pixels.resize(static_cast<size_t>(width) * height);
    texture_bytes_ += size_bytes();
    GLint bound = 0;
    glGetIntegerv(GL_READ_FRAMEBUFFER_BINDING, &bound);
    glGenTextures(1, &texture_);
    glBindTexture(GL_TEXTURE_2D, texture_);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, width, height, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glGenFramebuffers(1, &framebuffer_);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, framebuffer_);
    glFramebufferTexture2D(GL_READ_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture_, 0);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, static_cast<GLuint>(bound));
  }

  void drop() {
    texture_bytes_ -= size_bytes();
    if (framebuffer_ != 0) glDeleteFramebuffers(1, &framebuffer_);
    if (texture_ != 0) glDeleteTextures(1, &texture_);
    framebuffer_ = texture_ = 0;
    image_ = {};
  }

  SoftwarePainter& painter_;
  uint64_t& texture_bytes_;  // of all pictures
  Image image_;              // bottom row first
  GLuint texture_ = 0, framebuffer_ = 0;
  bool is_uploaded_ = false;
};

class PaintedRenderer final : public Renderer {
 public:
  std::string name() const override { return driver_name() + ", painted by the processor"; }
  bool is_software() const override { return true; }
  std::unique_ptr<Picture> make_picture() override {
    return std::make_unique<PaintedPicture>(painter_, picture_bytes_);
  }
  std::optional<uint32_t> acquire_slot() override { return slots_.acquire(); }
  void release_slot(uint32_t slot) override { slots_.release(slot); }
  void upload(uint32_t slot, std::span<const layout::Texel, layout::kTileColumns> texels) override {
    painter_.upload(slot, texels);
  }
  uint64_t gpu_bytes() const override { return picture_bytes_; }
  void finish() override { glFinish(); }

 private:
  SoftwarePainter painter_;
  SlotPool slots_{kPaintedSlots};
  uint64_t picture_bytes_ = 0;
};

}  // namespace

std::unique_ptr<Renderer> create_painted_renderer() { return std::make_unique<PaintedRenderer>(); }

}  // namespace weft::render::opengl
