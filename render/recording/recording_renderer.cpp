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
  uint64_t texture() const override { return width_ == 0 ? 0 : 1; }
  void blit(int, int, int) const override {}
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

RecordingRenderer::RecordingRenderer(uint32_t slot_count) {
  for (uint32_t i = slot_count; i > 0; --i) free_slots_.push_back(i - 1);
}

std::unique_ptr<Picture> RecordingRenderer::make_picture() {
  return std::make_unique<RecordingPicture>(*this);
}

std::optional<uint32_t> RecordingRenderer::acquire_slot() {
  if (free_slots_.empty()) return std::nullopt;
  const uint32_t slot = free_slots_.back();
  free_slots_.pop_back();
  return slot;
}

void RecordingRenderer::release_slot(uint32_t slot) {
  atlas_.erase(slot);
  free_slots_.push_back(slot);
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
