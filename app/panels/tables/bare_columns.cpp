#include <algorithm>
#include <ranges>
#include <utility>

#include "app/panels/tables/table_view.h"

namespace weft::app {

const std::vector<bool>& BareColumns::update(const TableInput& input, const TableRows& rows,
                                             const TableOptions& options, uint64_t first,
                                             uint64_t seen) {
  constexpr uint64_t kAtFirst = 50;  // rows, before it is known how many are seen
  const OpenTrace* trace = input.panel.trace;
  Table table = {trace ? trace->id() : 0, column_ids(input.columns), options};
  if (table != table_) {
    table_ = std::move(table);
    has_looked_ = false;
    widest_px_.assign(input.columns.size(), 0);
    is_bare_.resize(input.columns.size());
  }
  const uint64_t end = std::min(rows.count(), first + std::max(seen, kAtFirst));
  if (input.is_stale || first >= end) return is_bare_;
  for (size_t column = 1; column < is_bare_.size(); ++column) {
    if (has_looked_ && !is_bare_[column]) continue;
    is_bare_[column] = std::ranges::all_of(
        std::views::iota(first, end), [&](uint64_t row) { return rows.cell(row, column).empty(); });
  }
  has_looked_ = true;
  return is_bare_;
}

}  // namespace weft::app
