#include <limits>

#include "core/layout/tile.h"

namespace weft::layout {

Tile make_tile(const store::Trace& trace, RowId row, const TileKey& key, const Palette& palette) {
  return make_row_tile(trace.row(row), key, palette);
}

Tile make_row_tile(const store::Row& row, const TileKey& key, const Palette& palette) {
  aggregate::GridSpan span = key.span();
  int look_back = kLookBack;
  if (span.first < std::numeric_limits<int64_t>::min() + kLookBack) look_back = 0;
  span.first -= look_back;
  span.count += look_back;

  std::vector<aggregate::Cell> cells(kLookBack + kTileColumns);
  std::vector<aggregate::Wide> wides;
  aggregate::ReadCount reads;
  aggregate::cells(row, span, wide_from(key.level), std::span(cells).subspan(kLookBack - look_back),
                   wides, &reads);
  Tile tile = tile_from_cells(key, {row.min_value, row.max_value}, cells, wides, palette);
  tile.reads = reads;
  return tile;
}

}  // namespace weft::layout
