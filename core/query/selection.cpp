#include "core/query/selection.h"

#include <algorithm>

namespace weft::query {

using store::RowKind;
using trace::Category;

Category category_of(RowKind kind) {
  switch (kind) {
    case RowKind::kState:
      return Category::kState;
    case RowKind::kPunctual:
      return Category::kPunctual;
    case RowKind::kVariable:
      return Category::kVariable;
    case RowKind::kLinkOut:
    case RowKind::kLinkIn:
      return Category::kLink;
  }
  return Category::kPunctual;
}

TimeRange whole_range(const store::Trace& trace) {
  TimeRange range = trace.range();
  const bool has_event_at_end = std::ranges::any_of(trace.rows(), [&](const store::Row& row) {
    return row.count > 0 && row.last_end >= range.end &&
           trace.record(row, row.count - 1).begin >= range.end;
  });
  if (has_event_at_end) range.end = range.end + Duration{1};
  return range;
}

Selection Selection::all(const store::Trace& trace) {
  Selection all;
  all.categories.fill(true);
  all.lanes.assign(trace.dictionary().lanes.size(), true);
  all.types.assign(trace.dictionary().types.size(), true);
  all.range = whole_range(trace);
  return all;
}

bool Selection::allows(const store::Row& row) const {
  if (!categories[static_cast<size_t>(category_of(row.kind))]) return false;
  if (row.lane.value() >= lanes.size() || !lanes[row.lane.value()]) return false;
  return row.kind != RowKind::kVariable || allows(row.variable);
}

}  // namespace weft::query
