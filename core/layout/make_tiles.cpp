#include <limits>

#include "core/layout/tile.h"

namespace weft::layout {

aggregate::GridSpan span_of_tiles(const TileKey& first, uint32_t count) {
  aggregate::GridSpan span = first.span();
  int look_back = kLookBack;
  if (span.first < std::numeric_limits<int64_t>::min() + kLookBack) look_back = 0;
  span.first -= look_back;
  span.count = count * kTileColumns + static_cast<uint32_t>(look_back);
  return span;
}

std::vector<Tile> make_tiles(const store::Row& row, const TileKey& first, uint32_t count,
                             const Palette& palette) {
  const aggregate::GridSpan span = span_of_tiles(first, count);
  std::vector<aggregate::Cell> cells(kLookBack + size_t{count} * kTileColumns);
  std::vector<aggregate::Wide> wides;
  aggregate::ReadCount reads;
  aggregate::cells(row, span, wide_from(first.level), std::span(cells).last(span.count), wides,
                   &reads);
  std::vector<Tile> tiles;
  tiles.reserve(count);
  TileKey key = first;
  for (size_t i = 0; i < count; ++i, ++key.index) {
    const auto part = std::span(cells).subspan(i * kTileColumns, kLookBack + kTileColumns);
    tiles.push_back(tile_from_cells(key, {row.min_value, row.max_value}, part, wides, palette));
  }
  tiles.front().reads = reads;
  return tiles;
}

}  // namespace weft::layout
