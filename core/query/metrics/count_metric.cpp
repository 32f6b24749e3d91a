#include "core/query/metrics/count_metric.h"

#include "core/query/metrics/value_metric.h"

namespace weft::query {

Statistics measure_counts(const store::Trace& trace, const Selection& selection, GroupBy by,
                          const Work& work) {
  const auto takes_row = [](const store::Row&) { return true; };
  return measure_values(trace, selection, by, work, takes_row, count_value);
}

std::optional<int64_t> count_value(const store::Trace&, const store::Row&, const store::Record&,
                                   TimeRange) {
  return 1;
}

}  // namespace weft::query
