#include "core/layout/filtered_tile.h"

#include <algorithm>

namespace weft::layout {
namespace {

// For variables, whose texels hold values: less of the band's colour.
constexpr int kDimFill = 10;

Texel dimmed_texel(Texel texel, store::RowKind kind, Theme theme) {
  if (kind == store::RowKind::kVariable) {
    texel.a = static_cast<uint8_t>(kDimFill << 3 | (texel.a & 7));
    return texel;
  }
  const Rgb rgb = dimmed(Rgb{texel.r} << 16 | Rgb{texel.g} << 8 | texel.b, theme);
  return {static_cast<uint8_t>(rgb >> 16), static_cast<uint8_t>(rgb >> 8 & 0xFF),
          static_cast<uint8_t>(rgb & 0xFF), texel.a};
}

void merge_cells(const Tile& passing, Tile& tile) {
  const bool is_variable = !tile.values.empty();
  auto from = passing.cells.begin();
  for (size_t i = 0; i < tile.cells.size(); ++i) {
    CellInfo& cell = tile.cells[i];
    from = std::ranges::lower_bound(from, passing.cells.end(), cell.column, {}, &CellInfo::column);
    if (from == passing.cells.end() || from->column != cell.column) continue;
    cell = *from;
    if (is_variable) tile.values[i] = passing.values[from - passing.cells.begin()];
  }
}

// Wide states of a row do not overlap: begin, length and type name one.
void merge_boxes(const Tile& passing, Tile& tile) {
  auto from = passing.boxes.begin();
  for (Box& box : tile.boxes) {
    while (from != passing.boxes.end() && from->begin < box.begin) ++from;
    const bool passes = from != passing.boxes.end() && from->begin == box.begin &&
                        from->duration == box.duration && from->type == box.type;
    box.is_dim = !passes;
  }
}

// Without the rest there is room for more diamonds.
void merge_markers(const Tile& passing, Tile& tile) {
  const auto is_covered = [&](const Marker& marker) {
    const int64_t column = column_of(marker.time, tile.key.level) - tile.key.index * kTileColumns;
    return !tile.dim.test(static_cast<size_t>(column));
  };
  std::erase_if(tile.markers, is_covered);
  for (Marker& marker : tile.markers) marker.is_dim = true;
  tile.markers.insert(tile.markers.end(), passing.markers.begin(), passing.markers.end());
  std::ranges::stable_sort(tile.markers, {}, &Marker::time);
}

}  // namespace

Tile tile_above(const Tile& passing, Tile rest, const Palette& palette) {
  Tile tile = std::move(rest);
  tile.reads.nodes += passing.reads.nodes;
  tile.reads.records += passing.reads.records;
  for (size_t column = 0; column < kTileColumns; ++column) {
    Texel& texel = tile.texels[column];
    if (texel.mark() == Mark::kEmpty) continue;
    const Texel& above = passing.texels[column];
    tile.dim.set(column, above.mark() == Mark::kEmpty);
    texel = tile.dim.test(column) ? dimmed_texel(texel, tile.key.row.kind, palette.theme()) : above;
  }
  merge_cells(passing, tile);
  merge_boxes(passing, tile);
  merge_markers(passing, tile);
  return tile;
}

std::vector<Tile> make_filtered_tiles(const store::TracePtr& trace, RowId row, const TileKey& first,
                                      uint32_t count, const aggregate::FilterPtr& filter,
                                      const Palette& palette, aggregate::FilteredRows& rows,
                                      const std::stop_token& stop) {
  const aggregate::RowPtr filtered =
      rows.get(trace, row, filter, span_of_tiles(first, count).range(), stop);
  if (!filtered) return {};
  std::vector<Tile> passing = make_tiles(*filtered, first, count, palette);
  if (!first.keeps_rest || filtered.get() == &trace->row(row)) return passing;
  std::vector<Tile> tiles = make_tiles(trace->row(row), first, count, palette);
  for (uint32_t i = 0; i < count; ++i)
    tiles[i] = tile_above(passing[i], std::move(tiles[i]), palette);
  return tiles;
}

}  // namespace weft::layout
