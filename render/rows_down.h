// Rows of a trace down a picture: what timeline.h draws from left to right, with time downwards.
//
// Strips lie along x only, so each column of the grid is a box here, and columns are kDownPx times
// as high as they are wide there: that bounds the boxes to a quarter of the height for each row.
// What was drawn is kept turned round: its x is the picture's y / kDownPx, its y the picture's x.
#pragma once

#include <optional>
#include <span>

#include "render/timeline.h"

namespace weft::render {

inline constexpr float kDownPx = 4;

struct RowDown {
  RowId row;
  float x = 0, width = 0;  // of the picture
};

// `scale`: of the picture's height / kDownPx. Appends to `batch` and `items`, between
// cache.begin_frame() and cache.end_frame(). `dy`: added to where everything lies.
void draw_rows_down(const store::Trace& trace, std::span<const RowDown> rows,
                    const layout::Palette& palette, const layout::TimeScale& scale, float dy,
                    const layout::TileFilter& filter, TileCache& cache, DrawBatch& batch,
                    TimelineItems& items);

// What lies at (x, y) of the picture; `dy` as it was drawn.
std::optional<layout::Hit> hit_down(const TimelineItems& items, const layout::TimeScale& scale,
                                    float x, float y, float dy);

}  // namespace weft::render
