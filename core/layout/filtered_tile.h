// Tiles of filtered rows: what does not pass is left out, or dimmed.
//
//   stored row      ██▒▒██░░██▒▒          made like any tile, of the row as the filter leaves it
//   left out        ██  ██  ██            (aggregate::FilteredRows): exact at every level
//   dimmed          ██··██··██··          both tiles, what passes above the rest
#pragma once

#include <cstdint>
#include <stop_token>

#include "core/aggregate/filtered_rows.h"
#include "core/layout/tile.h"

namespace weft::layout {

// The filter applied to a row's tiles.
struct TileFilter {
  // Identifies the expression, also while the trace grows and the filter is recompiled. 0: no
  // filter.
  uint64_t id = 0;
  bool keeps_rest = false;           // what does not pass is dimmed instead of left out
  aggregate::FilterPtr filter = {};  // null: it is still being compiled
  bool operator==(const TileFilter&) const = default;
};

// Overlays `passing`, a tile of the filtered row, on `rest`, the same tile of the whole row. Where
// something passes, only that is shown and reported. Pure.
Tile tile_above(const Tile& passing, Tile rest, const Palette& palette);

// As make_tiles(), for the row under the filter; builds missing parts of the filtered row. Empty if
// stopped.
std::vector<Tile> make_filtered_tiles(const store::TracePtr& trace, RowId row, const TileKey& first,
                                      uint32_t count, const aggregate::FilterPtr& filter,
                                      const Palette& palette, aggregate::FilteredRows& rows,
                                      const std::stop_token& stop);

}  // namespace weft::layout
