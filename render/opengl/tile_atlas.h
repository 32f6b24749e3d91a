// The atlas of tiles on the GPU: a texture with one row of texels per tile.
//
// The new tiles of a frame are collected, transferred at once into a staging texture, one below the
// other, and drawn from there into their slots by one call. Separate transfers for hundreds of
// tiles would dominate the frame time (README.md).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/layout/tile.h"
#include "render/opengl/instances.h"
#include "render/opengl/offscreen_target.h"
#include "render/opengl/program.h"

namespace weft::render::opengl {

// A context must be current.
class TileAtlas {
 public:
  static constexpr int kTilesAcross = 4;
  static constexpr int kRows = 8192;
  static constexpr uint32_t kSlotCount = kTilesAcross * kRows;

  TileAtlas();
  ~TileAtlas();
  TileAtlas(const TileAtlas&) = delete;
  TileAtlas& operator=(const TileAtlas&) = delete;

  // Copies the texels; they reach their slot with the next settle().
  void add(uint32_t slot, std::span<const layout::Texel, layout::kTileColumns> texels);
  // Draws the added tiles into their slots, with the shader "tile". Preserves the bound
  // framebuffer, but not the viewport. Blending, tests and culling must be off.
  void settle(const Program& tile);

  uint32_t texture() const { return atlas_.texture(); }
  uint64_t size_bytes() const;  // on the GPU

 private:
  OffscreenTarget atlas_{kTilesAcross * layout::kTileColumns, kRows};
  uint32_t arrivals_ = 0;  // a staging texture: row i holds the i-th tile of a transfer
  std::vector<uint32_t> slots_;
  std::vector<layout::Texel> texels_;
  Instances tiles_{sizeof(uint32_t), {{1, GL_UNSIGNED_INT, 0}}};
};

}  // namespace weft::render::opengl
