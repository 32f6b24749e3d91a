#include "render/opengl/painted_renderer.h"

#include <glad/gl.h>

#include "render/opengl/driver.h"
#include "render/opengl/picture_target.h"
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
      : painter_(painter), target_(texture_bytes) {}

  void draw(const DrawBatch& batch, int width, int height) override {
    const OffscreenTarget& target = target_.resize(width, height);
    if (target.width() != image_.width || target.height() != image_.height) {
      image_ = {target.width(), target.height(), {}};
      image_.pixels.resize(static_cast<size_t>(image_.width) * image_.height);
    }
    painter_.paint(batch, image_, RowOrder::kBottomFirst);
    is_uploaded_ = false;
  }

  void blit(int x, int y, int framebuffer_height) override {
    if (target_.get() == nullptr) return;
    upload(target_.get()->texture());
    target_.get()->blit(x, y, framebuffer_height, RowOrder::kBottomFirst);
  }

  Image read() const override { return flipped(image_); }

 private:
  void upload(GLuint texture) {
    if (is_uploaded_) return;
    is_uploaded_ = true;
    glBindTexture(GL_TEXTURE_2D, texture);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, image_.width, image_.height, GL_RGBA, GL_UNSIGNED_BYTE,
                    image_.pixels.data());
  }

  SoftwarePainter& painter_;
  Image image_;  // bottom row first
  PictureTarget target_;
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
