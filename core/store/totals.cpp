#include "core/store/totals.h"
#include "core/base/time_span.h"

#include <algorithm>
#include <bit>

namespace weft::store {

Totals Totals::over(TimeRange range, uint64_t events) {
  Totals totals;
  const uint64_t most = std::min(kMostCells, events / kEventsPerCell);
  if (most == 0) return totals;
  const int64_t last = std::max(range.begin.ticks, saturating_sub(range.end.ticks, 1));
  const auto cells = [&](int level) {
    return static_cast<uint64_t>(last >> level) -
           static_cast<uint64_t>(range.begin.ticks >> level);  // less one
  };
  while (totals.level < 62 && cells(totals.level) >= most) ++totals.level;
  totals.first = range.begin.ticks >> totals.level;
  totals.counts.resize(cells(totals.level) + 1);
  return totals;
}

void Totals::add(RowKind kind, std::span<const Record> records) {
  if (counts.empty()) return;
  for (const Record& record : records) {
    if (kind == RowKind::kLinkIn && !record.peer.is_none()) continue;
    const auto cell = static_cast<uint64_t>((record.begin.ticks >> level) - first);
    if (cell < counts.size()) ++counts[cell];
  }
}

void Totals::add(const Totals& others) {
  for (size_t i = 0; i < counts.size(); ++i) counts[i] += others.counts[i];
}

std::vector<uint64_t> Totals::over_bins(TimeRange range, uint32_t bins) const {
  const uint64_t length = length_of(range);
  const uint64_t width = bins == 0 ? 0 : length / bins;
  const bool is_grid = std::has_single_bit(width) && width * bins == length &&
                       (static_cast<uint64_t>(range.begin.ticks) & (width - 1)) == 0;
  if (counts.empty() || !is_grid || std::countr_zero(width) < level) return {};
  std::vector<uint64_t> sums(bins);
  const int64_t begin = range.begin.ticks >> level;
  const int shift = std::countr_zero(width) - level;
  for (size_t i = 0; i < counts.size(); ++i) {
    const Wide bin = (Wide{first} + static_cast<Wide>(i) - begin) >> shift;  // whatever a file says
    if (bin >= 0 && bin < Wide{bins}) sums[static_cast<size_t>(bin)] += counts[i];
  }
  return sums;
}

}  // namespace weft::store
