// Draws rows of a trace as timeline.h does, but with time running downwards.
//
// Strips run along x only, so each column of the grid becomes a box, kDownPx times as high as a
// column is wide there; this bounds a row's boxes to a quarter of the picture's height in pixels.
// Items are stored transposed: their x is the picture's y / kDownPx, their y the picture's x.
#pragma once

#include <optional>
#include <span>

#include "render/timeline.h"

namespace weft::render {

inline constexpr float kDownPx = 4;

struct RowDown {
  RowId row;
  float x = 0, width = 0;  // in the picture
};

// Appends to `batch` and `items`; call between cache.begin_frame() and cache.end_frame(). `scale`
// covers the picture's height / kDownPx; `dy` shifts everything.
void draw_rows_down(const store::Trace& trace, std::span<const RowDown> rows,
                    const layout::Palette& palette, const layout::TimeScale& scale, float dy,
                    const layout::TileFilter& filter, TileCache& cache, DrawBatch& batch,
                    TimelineItems& items);

// Returns what lies at (x, y) of the picture, drawn with the same `dy`.
std::optional<layout::Hit> hit_down(const TimelineItems& items, const layout::TimeScale& scale,
                                    float x, float y, float dy);

}  // namespace weft::render
