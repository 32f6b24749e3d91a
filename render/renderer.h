// The interface between the shapes of a picture and the backend that draws them.
//
// A renderer owns an atlas of tiles (layout::Tile texels) and draws batches into pictures, which
// the window shows. Call everything from the frame thread with the backend's context current;
// destroy pictures before their renderer.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "core/base/result.h"
#include "core/layout/tile.h"
#include "render/batch.h"
#include "render/png.h"

namespace weft::render {

// A panel's picture: redrawn when its inputs change, shown every frame.
class Picture {
 public:
  virtual ~Picture() = default;
  // Redraws the whole picture at this size in pixels (at least 1 by 1).
  virtual void draw(const DrawBatch& batch, int width, int height) = 0;
  // Copies the picture, unscaled, into the framebuffer bound for drawing, its top left corner at
  // (x, y) from the top left of a framebuffer `framebuffer_height` px high.
  virtual void blit(int x, int y, int framebuffer_height) = 0;
  virtual Image read() const = 0;
};

class Renderer {
 public:
  virtual ~Renderer() = default;

  // The driver's name: "llvmpipe (LLVM 15.0.6, 256 bits)".
  virtual std::string name() const = 0;
  // Whether the CPU draws the pixels.
  virtual bool is_software() const = 0;

  virtual std::unique_ptr<Picture> make_picture() = 0;

  // The atlas: slots for tiles, shared by all caches. acquire_slot() returns nullopt if all are
  // taken.
  virtual std::optional<uint32_t> acquire_slot() = 0;
  virtual void release_slot(uint32_t slot) = 0;
  // Uploads a tile. `texels` must stay in place, unchanged, until the slot is released or uploaded
  // anew: a backend that draws in ordinary memory reads them there.
  virtual void upload(uint32_t slot,
                      std::span<const layout::Texel, layout::kTileColumns> texels) = 0;

  // Size of textures and buffers.
  virtual uint64_t gpu_bytes() const = 0;
  // Waits until all drawing has finished, for measurements.
  virtual void finish() = 0;
};

}  // namespace weft::render
