// Paints batches with the processor, for machines without a GPU.
//
// What a software OpenGL does in 10 ms for a full screen of strips takes 2 ms here: along a strip
// the colours of a column are found once, not once per pixel, and what is left per pixel is a
// choice between three colours, eight pixels at a time. The picture is cut into bands, painted by
// threads of its own; the calling thread sleeps meanwhile.
//
// The pictures are those of the shaders, to within rounding (see look.h).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

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

  // Keeps the view, not the texels: they are painted from where they are.
  void upload(uint32_t slot, std::span<const layout::Texel, layout::kTileColumns> texels);
  // Paints all of the image, whose size is set.
  void paint(const DrawBatch& batch, Image& image, RowOrder order = RowOrder::kTopFirst);

 private:
  std::vector<const layout::Texel*> atlas_;  // by slot: kTileColumns of them
  ThreadPool pool_;
};

}  // namespace weft::render
