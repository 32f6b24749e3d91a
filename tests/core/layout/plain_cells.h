// aggregate::cells by a plain loop over records: short enough to be seen to be right. The layout's
// tests need no store for it.
#pragma once

#include <algorithm>
#include <map>
#include <vector>

#include "core/aggregate/columns.h"
#include "core/layout/scale.h"
#include "core/layout/tile.h"

namespace weft::layout {

struct PlainRecord {
  Time begin;
  Duration duration;
  EventTypeId type{0};
  double value = 0;
  Time end() const { return begin + duration; }
};

struct PlainCells {
  std::vector<aggregate::Cell> cells;
  std::vector<aggregate::Wide> wides;
};

// `records` do not overlap and are in order of begin.
inline PlainCells plain_cells(const std::vector<PlainRecord>& records, int level, int64_t first,
                              int count, bool is_variable = false) {
  PlainCells result;
  result.cells.resize(count);
  const Duration wide = wide_from(level);
  std::vector<std::map<EventTypeId, int64_t>> weights(count);
  for (size_t i = 0; i < records.size(); ++i) {
    const PlainRecord& r = records[i];
    if (r.duration >= wide) {
      const bool overlaps = column_of(r.begin, level) < first + count &&
                            column_of(r.end() - Duration{1}, level) >= first;
      if (overlaps) result.wides.push_back({r.begin, r.duration, r.type});
      continue;
    }
    const int64_t home = column_of(r.begin, level) - first;
    for (int c = 0; c < count; ++c) {
      const Time low = time_of_column(first + c, level),
                 high = time_of_column(first + c + 1, level);
      aggregate::Cell& cell = result.cells[c];
      const Duration overlap = std::min(r.end(), high) - std::max(r.begin, low);
      if (overlap.ticks > 0) cell.busy += overlap.ticks;
      if (overlap.ticks > 0 && c > home) {
        cell.is_carried = true;
        if (cell.begins == 0) cell.type = r.type;
      }
      if (c != home) continue;
      if (cell.begins++ == 0) cell.first_begin = r.begin;
      cell.last_begin = r.begin;
      cell.last_end = r.end();
      weights[c][r.type] += std::max<int64_t>(r.duration.ticks, 1);
      const auto value = static_cast<float>(r.value);
      cell.min_value = cell.begins == 1 ? value : std::min(cell.min_value, value);
      cell.max_value = cell.begins == 1 ? value : std::max(cell.max_value, value);
      cell.last_value = r.value;
    }
  }
  for (int c = 0; c < count; ++c) {
    aggregate::Cell& cell = result.cells[c];
    if (cell.begins > 0) {
      const auto top = std::ranges::max_element(weights[c], {}, [](auto& w) { return w.second; });
      cell.type = top->first;
      cell.share = 255;
      cell.rest = weights[c].size() > 1 ? 255 : 0;
    } else if (is_variable) {
      for (const PlainRecord& r : records) {
        if (column_of(r.begin, level) >= first + c) break;
        cell.is_carried = true;
        cell.min_value = cell.max_value = static_cast<float>(r.value);
        cell.last_value = r.value;
        cell.first_begin = cell.last_begin = cell.last_end = r.begin;
      }
    }
  }
  return result;
}

inline trace::Dictionary plain_dictionary(int types) {
  trace::Dictionary dictionary;
  for (int i = 0; i < types; ++i) {
    dictionary.types.push_back({.name = "type " + std::to_string(i), .group = {}});
  }
  return dictionary;
}

inline const Palette& plain_palette() {
  static const auto palette = Palette::make(plain_dictionary(8), Theme::kDark);
  return *palette;
}

inline Tile plain_tile(const std::vector<PlainRecord>& records, int level, int64_t index,
                       store::RowKind kind = store::RowKind::kState,
                       const Palette& palette = plain_palette()) {
  const bool is_variable = kind == store::RowKind::kVariable;
  const PlainCells made = plain_cells(records, level, index * kTileColumns - kLookBack,
                                      kLookBack + kTileColumns, is_variable);
  ValueRange range;
  for (const PlainRecord& r : records) {
    range.min = std::min(range.min, r.value);
    range.max = std::max(range.max, r.value);
  }
  TileKey key{.row = {LaneId(0), kind, 0}, .level = level, .index = index};
  return tile_from_cells(key, range, made.cells, made.wides, palette);
}

}  // namespace weft::layout
