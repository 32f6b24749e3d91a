// Turns the rows of a trace into shapes: the inside of the Gantt panel, of its overview and of
// every other panel that shows rows on a time axis.
//
// Each frame asks for the visible tiles, appends strips, boxes, diamonds and arrows to a batch, and
// records where each went, for labels and layout::hit. Costs the frame thread about 0.1 µs per tile
// and box; touches no mapped page.
#pragma once

#include <functional>
#include <optional>
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
  bool is_stale = false;       // has stand-ins or gaps: redraw when tiles have come
  bool awaits_filter = false;  // has stand-ins of another filter, or of none

  void clear();
};

struct TimelineView {
  layout::TimeScale scale;
  double scroll_y = 0;             // of the lane tree, px
  float height = 0;                // of the picture, px
  layout::TileFilter filter = {};  // which events to draw
  float unit = 1;                  // px of what is usually one, where all is larger
};

// Draws the visible rows: appends to `batch` and `items`, and sets the batch's background. Call
// between cache.begin_frame() and cache.end_frame().
void draw_rows(const store::Trace& trace, const layout::Lanes& lanes,
               const layout::Palette& palette, const TimelineView& view, TileCache& cache,
               DrawBatch& batch, TimelineItems& items);

// Draws one row at [y, y + height) over the batch's background.
void draw_row(const store::Trace& trace, RowId row, const layout::Palette& palette,
              const TimelineView& view, float y, float height, TileCache& cache, DrawBatch& batch,
              TimelineItems& items);

// Returns the y, in pixels of the picture (possibly outside it), at which an arrow from or to `row`
// of `lane` meets it, where `other` is the lane at its other end; nullopt if the lane is not shown.
using LaneY = std::function<std::optional<double>(LaneId lane, RowId row, LaneId other)>;
// The middle of the row's line, or of the lane's first.
LaneY middle_of(const layout::Lanes& lanes, double scroll_y);

// Draws arrows between lanes; those outside the picture are left out.
void draw_links(const layout::LinkItems& links, const LaneY& y_of, const layout::Palette& palette,
                const TimelineView& view, DrawBatch& batch, TimelineItems& items);

}  // namespace weft::render
