// The tiles on the GPU: an atlas of their texels, one row of texels a tile.
//
// The tiles that a frame brings are collected, put into a texture of their own by one transfer, one
// below the other, and from there drawn into their slots by one call: a transfer for each of some
// hundreds is what a frame would spend most of its time on (README.md).
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

  // Copies the texels; they are in their slot after the next settle().
  void add(uint32_t slot, std::span<const layout::Texel, layout::kTileColumns> texels);
  // Draws what was added into its slots, with the shader "tile". What framebuffer is bound stays
  // so; the viewport does not. Blending, tests and culling must be off.
  void settle(const Program& tile);

  uint32_t texture() const { return atlas_.texture(); }
  uint64_t size_bytes() const;  // on the GPU

 private:
  OffscreenTarget atlas_{kTilesAcross * layout::kTileColumns, kRows};
  uint32_t arrivals_ = 0;  // a texture: row i holds the i-th tile of a transfer
  std::vector<uint32_t> slots_;
  std::vector<layout::Texel> texels_;
  Instances tiles_{sizeof(uint32_t), {{1, GL_UNSIGNED_INT, 0}}};
};

}  // namespace weft::render::opengl
