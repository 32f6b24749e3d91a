// What lies under a pixel: read from the very items that were drawn, so that what is seen and what
// is told agree.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "core/base/time.h"
#include "core/layout/lanes.h"
#include "core/layout/links.h"
#include "core/layout/scale.h"
#include "core/layout/tile.h"

namespace weft::layout {

// A tile as it was drawn: at these pixels, in this row. Tiles are borrowed.
struct PlacedTile {
  const Tile* tile = nullptr;
  RowId row;
  float x0 = 0, x1 = 0;  // the tile's part that is shown
  float y = 0, height = 0;
  float gap = 0;          // below it, up to the next row: pointed at, it is this one
  bool is_stale = false;  // a coarser or older one, in place of one being made
};

// A box as it was drawn; pieces from neighbouring tiles joined.
struct PlacedBox {
  RowId row{};
  float x0 = 0, x1 = 0, y = 0, height = 0;
  float gap = 0;  // as of a tile
  Time begin{};
  Duration duration{};
  EventTypeId type{};
  bool is_dim = false;  // does not pass the filter
};

// A value that lasts, of a row whose values are drawn as boxes (store::Row of trace::kWordGroup);
// pieces from neighbouring tiles joined.
struct PlacedValue {
  float x0 = 0, x1 = 0, y = 0, height = 0;
  double value = 0;
  bool is_many = false;  // so many that none is seen for itself
  bool is_dim = false;   // does not pass the filter
};

// Where the label of a box has to end, in px: before the next box of its row. While a trace grows a
// row may hold what lies in a state that is yet to come, and then both.
float label_end(std::span<const PlacedBox> boxes, size_t i);

// An arrow as it was drawn. A stub where an end is missing: then both ends are near the one it has.
struct PlacedLink {
  float x0 = 0, y0 = 0, x1 = 0, y1 = 0;
  float width = 1;
  LinkItem link;
  bool is_dim = false;  // does not pass the filter
};

struct Hit {
  enum class Kind : uint8_t { kElement, kAggregate, kLink };
  Kind kind = Kind::kElement;
  RowId row = RowId::none();  // not of links
  store::RowKind row_kind = store::RowKind::kState;
  EventTypeId type;      // aggregates: the dominant one
  Time begin;            // aggregates: of the column
  Duration duration;     // aggregates: the column's width
  uint64_t count = 1;    // aggregates: elements that begin in the column
  float busy_share = 1;  // of the column
  float type_share = 1;  // the dominant type has at least this share
  bool is_one_type = true;
  CellValues values;    // variables
  LinkItem link;        // links
  bool is_dim = false;  // does not pass the filter
  bool is_stale = false;
};

// The topmost element at (x, y) of the picture. An arrow within `reach_px` wins over a row's
// element. Between two rows it is that of the upper one. None over empty space.
std::optional<Hit> hit(std::span<const PlacedTile> tiles, std::span<const PlacedBox> boxes,
                       std::span<const PlacedLink> links, const TimeScale& scale, float x, float y,
                       float reach_px = 3);

// The begin or end of an element that was drawn nearest to x, within `reach_px`: what a cursor
// snaps to. With `y`: of the row there only. None where nothing begins or ends near.
std::optional<Time> nearest_edge(std::span<const PlacedTile> tiles,
                                 std::span<const PlacedBox> boxes, const TimeScale& scale, float x,
                                 std::optional<float> y, float reach_px);

}  // namespace weft::layout
