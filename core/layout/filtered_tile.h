// Tiles of rows under a filter: what does not pass is left out, or is there, too, but dimmed.
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

// What of a row is drawn.
struct TileFilter {
  // Names the expression, also while the trace grows and the filter is compiled anew. 0: everything
  // is drawn.
  uint64_t id = 0;
  bool keeps_rest = false;           // what does not pass is dimmed instead of left out
  aggregate::FilterPtr filter = {};  // null: it is still being compiled
  bool operator==(const TileFilter&) const = default;
};

// The pure part: `passing` above `rest`, two tiles of one place: of the row as the filter leaves
// it, and of the whole row. Where something passes, only that is shown and told about.
Tile tile_above(const Tile& passing, Tile rest, const Palette& palette);

// make_tiles() of the row under the filter; builds what of the filtered row is not there. None
// where it was stopped.
std::vector<Tile> make_filtered_tiles(const aggregate::TracePtr& trace, RowId row,
                                      const TileKey& first, uint32_t count,
                                      const aggregate::FilterPtr& filter, const Palette& palette,
                                      aggregate::FilteredRows& rows, const std::stop_token& stop);

}  // namespace weft::layout
