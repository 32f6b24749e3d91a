#include "core/query/windows.h"

#include <algorithm>

namespace weft::query {

void append_windows(const store::Trace& trace, std::span<const store::Row> rows, TimeRange range,
                    std::vector<Window>& windows, uint64_t records) {
  if (range.is_empty()) return;
  std::vector<Time> borders;
  for (const store::Row& row : rows) {
    if (row.first_begin >= range.end || row.last_end < range.begin) continue;
    for (uint64_t i = records; i < row.count; i += records) {
      const Time border = trace.record(row, i).begin;
      if (border >= range.end) break;
      if (border > range.begin) borders.push_back(border);
    }
  }
  std::ranges::sort(borders);
  borders.erase(std::unique(borders.begin(), borders.end()), borders.end());
  borders.push_back(range.end);
  Time begin = range.begin;
  for (const Time end : borders) {
    windows.push_back({rows, {begin, end}, begin == range.begin});
    begin = end;
  }
}

std::vector<Window> state_windows(const store::Trace& trace, const Selection& selection) {
  using store::Row;
  std::vector<Window> windows;
  const std::span<const Row> rows = trace.rows();
  for (size_t i = 0; i < rows.size();) {
    size_t end = i + 1;
    while (end < rows.size() && rows[end].lane == rows[i].lane && rows[end].kind == rows[i].kind) {
      ++end;
    }
    const std::span<const Row> of_lane = rows.subspan(i, end - i);
    const bool has_some = std::ranges::any_of(of_lane, [&](const Row& row) {
      return row.kind == store::RowKind::kState && !selection.of(trace, row).takes_nothing();
    });
    if (has_some) append_windows(trace, of_lane, selection.range, windows);
    i = end;
  }
  return windows;
}

std::vector<Window> row_windows(const store::Trace& trace, const Selection& selection,
                                const std::function<bool(store::RowKind)>& is_read) {
  std::vector<Window> windows;
  for (const store::Row& row : trace.rows()) {
    if (is_read(row.kind) && !selection.of(trace, row).takes_nothing())
      append_windows(trace, {&row, 1}, selection.range, windows);
  }
  return windows;
}

}  // namespace weft::query
