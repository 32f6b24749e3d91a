#include "core/query/windows.h"

#include <algorithm>

namespace weft::query {

void append_windows(const store::Trace& trace, std::span<const store::Row> rows, TimeRange range,
                    std::vector<Window>& windows) {
  if (range.is_empty()) return;
  std::vector<Time> borders;
  for (const store::Row& row : rows) {
    if (row.first_begin >= range.end || row.last_end < range.begin) continue;
    for (uint64_t i = kWindowRecords; i < row.count; i += kWindowRecords) {
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

}  // namespace weft::query
