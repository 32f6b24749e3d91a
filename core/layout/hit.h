// Hit testing, on the very items that were drawn, so that what is seen and what is reported agree.
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

// A tile as drawn: at these pixels, in this row. The tile is borrowed.
struct PlacedTile {
  const Tile* tile = nullptr;
  RowId row;
  float x0 = 0, x1 = 0;  // the visible part of the tile
  float y = 0, height = 0;
  float gap = 0;               // space below, up to the next row; belongs to this row
  bool is_stale = false;       // a coarser or older stand-in for a tile being made
  bool awaits_filter = false;  // one of another filter, or of none
};

// A box as drawn; pieces from neighbouring tiles are joined.
struct PlacedBox {
  RowId row{};
  float x0 = 0, x1 = 0, y = 0, height = 0;
  float gap = 0;  // see PlacedTile
  Time begin{};
  Duration duration{};
  EventTypeId type{};
  bool is_dim = false;  // does not pass the filter
};

// A stretch of constant value in a row whose values are drawn as boxes (trace::kWordGroup); pieces
// from neighbouring tiles are joined.
struct PlacedValue {
  float x0 = 0, x1 = 0, y = 0, height = 0;
  double value = 0;
  bool is_many = false;  // too many values to be told apart
  bool is_dim = false;   // does not pass the filter
};

// Returns the x at which a box's label must end: the start of the next box of its row. In a growing
// trace a state may provisionally overlap a later box of its own row.
float label_end(std::span<const PlacedBox> boxes, size_t i);

// An arrow as drawn. If an end is missing, a stub near the end that exists.
struct PlacedLink {
  float x0 = 0, y0 = 0, x1 = 0, y1 = 0;
  float width = 1;
  LinkItem link;
  bool is_dim = false;  // does not pass the filter
};

struct Hit {
  enum class Kind : uint8_t { kElement, kAggregate, kLink };
  Kind kind = Kind::kElement;
  RowId row = RowId::none();  // none() for links
  store::RowKind row_kind = store::RowKind::kState;
  EventTypeId type;      // aggregates: the dominant one
  Time begin;            // aggregates: the column's
  Duration duration;     // aggregates: the column's width
  uint64_t count = 1;    // aggregates: elements that begin in the column
  float busy_share = 1;  // of the column
  CellValues values;     // variables
  LinkItem link;         // links
  bool is_dim = false;   // does not pass the filter
  bool is_stale = false;
};

// Returns the topmost element at (x, y) of the picture. An arrow within `reach_px` wins over a
// row's element; the gap between two rows belongs to the upper one. nullopt over empty space.
std::optional<Hit> hit(std::span<const PlacedTile> tiles, std::span<const PlacedBox> boxes,
                       std::span<const PlacedLink> links, const TimeScale& scale, float x, float y,
                       float reach_px = 3);

// Returns the begin or end of a drawn element nearest to x, within `reach_px`, for a cursor to snap
// to. With `y`, only elements of the row there count. nullopt if there is none.
std::optional<Time> nearest_edge(std::span<const PlacedTile> tiles,
                                 std::span<const PlacedBox> boxes, const TimeScale& scale, float x,
                                 std::optional<float> y, float reach_px);

}  // namespace weft::layout
