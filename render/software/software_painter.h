// Paints batches on the CPU, for machines without a GPU.
//
// A full screen of strips takes 2 ms, against 10 ms with software OpenGL: along a strip a column's
// colours are determined once instead of per pixel, and what remains per pixel is a choice between
// three colours, eight pixels at a time. The image is split into bands, painted by the painter's
// own threads; the calling thread sleeps meanwhile.
//
// The pictures equal those of the shaders to within rounding (see look.h).
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
  // 0 means one thread per core, at most 8.
  explicit SoftwarePainter(size_t threads = 0);

  // Keeps the span, not a copy: the texels are read in place when painting.
  void upload(uint32_t slot, std::span<const layout::Texel, layout::kTileColumns> texels);
  // Paints all of the image, whose size must be set.
  void paint(const DrawBatch& batch, Image& image, RowOrder order = RowOrder::kTopFirst);

 private:
  std::vector<const layout::Texel*> atlas_;  // by slot: kTileColumns texels each
  ThreadPool pool_;
};

}  // namespace weft::render
