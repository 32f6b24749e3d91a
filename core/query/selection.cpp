#include "core/query/selection.h"

#include <algorithm>

namespace weft::query {

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
  return {std::make_shared<const aggregate::Filter>(aggregate::everything(),
                                                    trace.dictionary().types.size()),
          whole_range(trace)};
}

void Selection::narrow(const store::Trace& trace, const aggregate::FormulaPtr& formula) {
  filter = std::make_shared<const aggregate::Filter>(all_of(filter->formula(), formula),
                                                     trace.dictionary().types.size());
}

}  // namespace weft::query
