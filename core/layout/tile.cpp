#include "core/layout/tile.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace weft::layout {
namespace {

constexpr uint8_t kEdgeBit = 1;

CellInfo info_of(const aggregate::Cell& cell, int column, Duration width) {
  CellInfo info;
  info.begin = cell.first_begin;
  info.mark = mark_of(cell);
  info.length = cell.last_end - cell.first_begin;
  info.begins = cell.begins;
  info.type = cell.type;
  info.busy_share = static_cast<float>(cell.busy) / static_cast<float>(width.ticks);
  info.column = static_cast<uint8_t>(column);
  return info;
}

// Walks the columns of a tile from those before it, keeping what goes on from column to column.
class TileMaker {
 public:
  TileMaker(Tile& tile, ValueRange values, std::span<const aggregate::Cell> cells,
            const Palette& palette)
      : tile_(tile), values_(values), cells_(cells), palette_(palette) {}

  void make_columns() {
    for (int i = 0; i < kLookBack; ++i) carry(cells_[i]);
    for (int column = 0; column < kTileColumns; ++column) {
      const aggregate::Cell& cell = cells_[kLookBack + column];
      if (!cell.is_empty()) add(cell, column);
      carry(cell);
    }
  }

  bool has_cell(int64_t column) const {
    return column >= 0 && column < kTileColumns && !cells_[kLookBack + column].is_empty();
  }

  void make_markers() {
    const std::vector<CellInfo>& cells = tile_.cells;
    // What lies in other tiles is not known here: the whole tile's room is assumed there.
    const auto gap = [&](size_t left, size_t right) {
      return right == 0 || right == cells.size() ? kTileColumns
                                                 : cells[right].column - cells[left].column - 1;
    };
    for (size_t i = 0; i < cells.size(); ++i) {
      const int room = std::min(gap(i - 1, i), gap(i, i + 1));
      if (cells[i].begins == 0 || room < kMarkerColumns) continue;
      tile_.markers.push_back({.time = cells[i].begin,
                               .type = cells[i].type,
                               .room = static_cast<uint16_t>(room),
                               .is_several = is_aggregate(cells[i].mark)});
    }
  }

 private:
  Texel texel_of(const aggregate::Cell& cell, const CellInfo& info) const {
    switch (tile_.key.row.kind) {
      case store::RowKind::kVariable:
        return variable_texel(cell, last_value_, values_);
      case store::RowKind::kState:
        return state_texel(cell, width_,
                           palette_.state_color(cell.type, state_length(info, tile_.key.level)));
      default:
        return punctual_texel(cell, palette_);
    }
  }

  void add(const aggregate::Cell& cell, int column) {
    CellInfo info = info_of(cell, column, width_);
    if (cell.begins == 0) {
      info.begin = last_begin_;
      info.length = last_end_ - last_begin_;
    }
    Texel texel = texel_of(cell, info);
    const bool is_parted = cell.begins > 0 && !cells_[kLookBack + column - 1].is_empty();
    if (is_parted && tile_.key.row.kind == store::RowKind::kState) texel.a |= kEdgeBit;
    tile_.texels[column] = texel;
    tile_.cells.push_back(info);
    if (tile_.key.row.kind == store::RowKind::kVariable) {
      tile_.values.push_back({static_cast<float>(cell.min_value),
                              static_cast<float>(cell.max_value), cell.last_value});
    }
  }

  void carry(const aggregate::Cell& cell) {
    if (cell.is_empty()) return;
    last_value_ = cell.last_value;
    if (cell.begins == 0 && tile_.key.row.kind != store::RowKind::kVariable) return;
    last_begin_ = cell.last_begin;
    last_end_ = cell.last_end;
  }

  Tile& tile_;
  ValueRange values_;
  std::span<const aggregate::Cell> cells_;
  const Palette& palette_;
  Duration width_ = column_width(tile_.key.level);
  double last_value_ = std::numeric_limits<double>::quiet_NaN();
  Time last_begin_, last_end_;
};

Box box_of(const aggregate::Wide& wide, const Tile& tile, const TileMaker& maker) {
  Box box{.begin = wide.begin, .duration = wide.duration, .type = wide.type};
  const int level = tile.key.level;
  const int64_t first = tile.key.index * kTileColumns;
  const Time last_tick = box.end() - Duration{1};
  box.shares_first_column = maker.has_cell(column_of(box.begin, level) - first);
  box.shares_last_column = maker.has_cell(column_of(last_tick, level) - first);
  return box;
}

}  // namespace

Duration state_length(const CellInfo& info, int level) {
  if (!is_aggregate(info.mark)) return info.length;
  const double busy = info.busy_share * static_cast<double>(column_width(level).ticks);
  return {std::llround(busy / info.begins)};
}

RowKey RowKey::of(const store::Row& row) {
  const bool is_variable = row.kind == store::RowKind::kVariable;
  return {row.lane, row.kind, is_variable ? row.variable.value() : row.depth};
}

aggregate::GridSpan TileKey::span() const {
  return {std::max(level, 0), index * kTileColumns, kTileColumns};
}

size_t Tile::size_bytes() const {
  return sizeof(Tile) + boxes.capacity() * sizeof(Box) + cells.capacity() * sizeof(CellInfo) +
         values.capacity() * sizeof(CellValues) + markers.capacity() * sizeof(Marker);
}

const CellInfo* Tile::cell(int column) const {
  const auto at = std::ranges::lower_bound(cells, column, {}, &CellInfo::column);
  return at != cells.end() && at->column == column ? &*at : nullptr;
}

Tile tile_from_cells(const TileKey& key, ValueRange values, std::span<const aggregate::Cell> cells,
                     std::span<const aggregate::Wide> wides, const Palette& palette) {
  Tile tile;
  tile.key = key;
  TileMaker maker(tile, values, cells, palette);
  const auto count = std::ranges::count_if(cells.subspan(kLookBack),
                                           [](const aggregate::Cell& c) { return !c.is_empty(); });
  tile.cells.reserve(count);
  if (key.row.kind == store::RowKind::kVariable) tile.values.reserve(count);
  maker.make_columns();
  if (!tile.cells.empty()) {
    tile.first_column = tile.cells.front().column;
    tile.end_column = tile.cells.back().column + 1;
  }
  if (key.row.kind == store::RowKind::kPunctual) maker.make_markers();

  const TimeRange range = key.range();
  for (const aggregate::Wide& wide : wides) {
    const bool is_inside = wide.begin < range.end && wide.begin + wide.duration > range.begin;
    if (is_inside) tile.boxes.push_back(box_of(wide, tile, maker));
  }
  tile.boxes.shrink_to_fit();
  tile.markers.shrink_to_fit();
  return tile;
}

}  // namespace weft::layout

size_t std::hash<weft::layout::TileKey>::operator()(const weft::layout::TileKey& key) const {
  uint64_t h = uint64_t{key.row.lane.value()} << 32 | key.row.which;
  h = (h ^ static_cast<uint64_t>(key.row.kind) << 58 ^ static_cast<uint64_t>(key.level + 1) << 50) *
      0x9e3779b97f4a7c15;
  h = (h ^ h >> 32 ^ static_cast<uint64_t>(key.index) ^ key.filter << 32 ^
       uint64_t{key.keeps_rest} << 63) *
      0xff51afd7ed558ccd;
  return h ^ h >> 29;
}
