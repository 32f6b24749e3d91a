// The rows of a trace over time, as shapes: the inside of the Gantt panel, of its overview and of
// every other panel that shows rows on a time axis.
//
// A frame asks for the visible tiles and appends strips, boxes, diamonds and arrows to a batch, and
// keeps where each went, for labels and for layout::hit. Costs the frame thread about 0.1 µs per
// tile and box; touches no mapped page.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "core/layout/hit.h"
#include "core/layout/lanes.h"
#include "core/layout/links.h"
#include "core/layout/palette.h"
#include "core/layout/scale.h"
#include "core/store/trace.h"
#include "render/batch.h"
#include "render/tile_cache.h"

namespace weft::render {

// What was drawn and where, in pixels of the picture.
struct TimelineItems {
  std::vector<layout::PlacedTile> tiles;
  std::vector<layout::PlacedBox> boxes;
  std::vector<layout::PlacedValue> values;
  std::vector<layout::PlacedLink> links;
  bool is_stale = false;  // something stands in, or is missing: draw again when tiles have come

  void clear();
};

struct TimelineView {
  layout::TimeScale scale;
  double scroll_y = 0;             // of the lane tree, px
  float height = 0;                // of the picture, px
  layout::TileFilter filter = {};  // which events
};

// Between cache.begin_frame() and cache.end_frame(). Appends to `batch` and `items`; sets the
// batch's background.
void draw_rows(const store::Trace& trace, const layout::Lanes& lanes,
               const layout::Palette& palette, const TimelineView& view, TileCache& cache,
               DrawBatch& batch, TimelineItems& items);

// One row at [y, y + height), upon the batch's background.
void draw_row(const store::Trace& trace, RowId row, const layout::Palette& palette,
              const TimelineView& view, float y, float height, TileCache& cache, DrawBatch& batch,
              TimelineItems& items);

// Where an arrow that joins `lane` and `other` meets the lane, in pixels of the picture, which it
// may leave; nothing where the lane is not shown.
using LaneY = std::function<std::optional<double>(LaneId lane, LaneId other)>;
// In the middle of the lane's first line.
LaneY middle_of(const layout::Lanes& lanes, double scroll_y);

// Arrows between lanes; those outside the picture are left out.
void draw_links(const layout::LinkItems& links, const LaneY& y_of, const layout::Palette& palette,
                const TimelineView& view, DrawBatch& batch, TimelineItems& items);

}  // namespace weft::render
