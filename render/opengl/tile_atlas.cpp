#include "render/opengl/tile_atlas.h"

#include <glad/gl.h>

#include <algorithm>

namespace weft::render::opengl {
namespace {

constexpr size_t kMostArrivals = 1024;  // of one transfer: 1 MiB

}  // namespace

TileAtlas::TileAtlas() {
  glGenTextures(1, &arrivals_);
  glBindTexture(GL_TEXTURE_2D, arrivals_);
  glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, layout::kTileColumns, kMostArrivals, 0, GL_RGBA,
               GL_UNSIGNED_BYTE, nullptr);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
}

TileAtlas::~TileAtlas() { glDeleteTextures(1, &arrivals_); }

void TileAtlas::add(uint32_t slot, std::span<const layout::Texel, layout::kTileColumns> texels) {
  slots_.push_back(slot);
  texels_.insert(texels_.end(), texels.begin(), texels.end());
}

void TileAtlas::settle(const Program& tile) {
  if (slots_.empty()) return;
  const BoundFramebuffer bound(GL_DRAW_FRAMEBUFFER, atlas_.framebuffer());
  glViewport(0, 0, atlas_.width(), atlas_.height());
  glActiveTexture(GL_TEXTURE0);
  glBindTexture(GL_TEXTURE_2D, arrivals_);
  tile.use(atlas_.width(), atlas_.height());
  const std::span slots(slots_);
  for (size_t first = 0; first < slots.size(); first += kMostArrivals) {
    const auto arrived = slots.subspan(first, std::min(kMostArrivals, slots.size() - first));
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, layout::kTileColumns,
                    static_cast<GLsizei>(arrived.size()), GL_RGBA, GL_UNSIGNED_BYTE,
                    &texels_[first * layout::kTileColumns]);
    tiles_.draw(arrived, GL_TRIANGLE_STRIP, 4);
  }
  slots_.clear();
  texels_.clear();
}

uint64_t TileAtlas::size_bytes() const {
  return atlas_.size_bytes() + kMostArrivals * layout::kTileColumns * sizeof(layout::Texel) +
         tiles_.size_bytes();
}

}  // namespace weft::render::opengl
