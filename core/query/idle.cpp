#include "core/query/idle.h"

#include <algorithm>
#include <cstdint>

#include "core/aggregate/columns.h"
#include "core/query/selection.h"

namespace weft::query {
namespace {

using aggregate::Cell;
using aggregate::GridSpan;
using aggregate::Wide;

constexpr int64_t kColumnsPerStretch = 5;  // of the shortest that is looked for, with its air

// The finest grid that is needed for `least` and covers the range in few enough columns.
GridSpan grid_for(TimeRange range, Duration least) {
  GridSpan grid;
  const auto columns = [&] {  // 128 bits: ranges may be as long as time itself
    return static_cast<__int128>((range.end.ticks - 1) >> grid.level) -
           (range.begin.ticks >> grid.level) + 1;
  };
  while (grid.level < 62 && (int64_t{1} << (grid.level + 1)) * kColumnsPerStretch <= least.ticks) {
    ++grid.level;
  }
  while (grid.level < 62 && columns() > kIdleColumns) ++grid.level;
  grid.first = range.begin.ticks >> grid.level;
  grid.count = static_cast<uint32_t>(columns());
  return grid;
}

// Marks the columns in which the row has something.
void mark(const store::Row& row, const GridSpan& grid, std::vector<Cell>& cells,
          std::vector<Wide>& wides, std::vector<bool>& is_busy) {
  std::ranges::fill(cells, Cell());
  wides.clear();
  aggregate::cells(row, grid, Duration{int64_t{1} << grid.level}, cells, wides);
  // A sample holds until the next: what it carries on is not activity.
  const bool carries = row.kind != store::RowKind::kVariable;
  for (size_t i = 0; i < cells.size(); ++i) {
    if (cells[i].begins > 0 || (carries && cells[i].is_carried)) is_busy[i] = true;
  }
  for (const Wide& wide : wides) {
    const auto column = [&](Time t) {
      return std::clamp<int64_t>((t.ticks >> grid.level) - grid.first, 0,
                                 static_cast<int64_t>(grid.count) - 1);
    };
    const int64_t last = column(wide.begin + wide.duration);
    for (int64_t i = column(wide.begin); i <= last; ++i) is_busy[static_cast<size_t>(i)] = true;
  }
}

}  // namespace

std::vector<TimeRange> idle_stretches(const store::Trace& trace, std::span<const RowId> rows,
                                      Duration least, const std::stop_token& stop) {
  const TimeRange range = whole_range(trace);
  if (range.is_empty() || rows.empty()) return {};
  const GridSpan grid = grid_for(range, least);
  std::vector<bool> is_busy(grid.count);
  std::vector<Cell> cells(grid.count);
  std::vector<Wide> wides;
  for (const RowId row : rows) {
    if (stop.stop_requested()) return {};
    mark(trace.row(row), grid, cells, wides, is_busy);
  }
  if (std::ranges::find(is_busy, true) == is_busy.end()) return {};
  std::vector<TimeRange> stretches;
  for (uint32_t i = 0; i < grid.count;) {
    uint32_t end = i;
    while (end < grid.count && !is_busy[end]) ++end;
    // A column of air beside events; the ends of the trace need none.
    const uint32_t from = i == 0 ? 0 : i + 1;
    const uint32_t to = end == grid.count ? end : end - std::min<uint32_t>(end, 1);
    if (to > from) {
      const TimeRange idle = {std::max(range.begin, grid.time_of(grid.first + from)),
                              std::min(range.end, grid.time_of(grid.first + to))};
      if (!idle.is_empty() && idle.length() >= Duration{least.ticks / 2}) stretches.push_back(idle);
    }
    i = std::max(end, i + 1);
  }
  return stretches;
}

}  // namespace weft::query
