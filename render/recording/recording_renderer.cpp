#include "render/recording/recording_renderer.h"

#include <algorithm>

namespace weft::render {
namespace {

class RecordingPicture final : public Picture {
 public:
  explicit RecordingPicture(RecordingRenderer& renderer) : renderer_(renderer) {}

  void draw(const DrawBatch& batch, int width, int height) override {
    width_ = width;
    height_ = height;
    background_ = batch.background;
    renderer_.drawn.push_back(batch);
  }
  void blit(int, int, int) override {}
  Image read() const override {
    Image image{width_, height_, {}};
    image.pixels.assign(static_cast<size_t>(width_) * height_, background_);
    return image;
  }

 private:
  RecordingRenderer& renderer_;
  int width_ = 0, height_ = 0;
  Color background_ = 0;
};

}  // namespace

std::unique_ptr<Picture> RecordingRenderer::make_picture() {
  return std::make_unique<RecordingPicture>(*this);
}

void RecordingRenderer::release_slot(uint32_t slot) {
  atlas_.erase(slot);
  slots_.release(slot);
}

void RecordingRenderer::upload(uint32_t slot,
                               std::span<const layout::Texel, layout::kTileColumns> texels) {
  std::ranges::copy(texels, atlas_[slot].begin());
  ++uploads_;
}

uint64_t RecordingRenderer::gpu_bytes() const { return atlas_.size() * sizeof(Texels); }

const RecordingRenderer::Texels* RecordingRenderer::slot(uint32_t slot) const {
  const auto at = atlas_.find(slot);
  return at == atlas_.end() ? nullptr : &at->second;
}

}  // namespace weft::render
