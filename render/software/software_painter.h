// Paints batches with the processor, for machines without a GPU.
//
// What a software OpenGL does in 10 ms for a full screen of strips takes 2 ms here: along a strip
// the colours of a column are found once, not once per pixel, and what is left per pixel is a
// choice between three colours, eight pixels at a time. The picture is cut into bands, painted by
// threads of its own; the calling thread sleeps meanwhile.
//
// The pictures are those of the shaders, to within rounding (see look.h).
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <span>

#include "core/base/thread_pool.h"
#include "core/layout/tile.h"
#include "render/batch.h"
#include "render/png.h"
#include "render/software/band.h"

namespace weft::render {

class SoftwarePainter {
 public:
  // 0 threads: as many as the machine has cores, at most 8.
  explicit SoftwarePainter(size_t threads = 0);

  void upload(uint32_t slot, std::span<const layout::Texel, layout::kTileColumns> texels);
  // Paints all of the image, whose size is set.
  void paint(const DrawBatch& batch, Image& image, RowOrder order = RowOrder::kTopFirst);
  uint64_t atlas_bytes() const { return atlas_.size() * sizeof(Texels); }

 private:
  using Texels = std::array<layout::Texel, layout::kTileColumns>;
  std::deque<Texels> atlas_;  // by slot; grows without moving what is there
  ThreadPool pool_;
};

}  // namespace weft::render
