#include "core/query/metrics/latency_metric.h"

#include "core/query/link_ends.h"
#include "core/query/metrics/value_metric.h"

namespace weft::query {

Statistics measure_latencies(const store::Trace& trace, const Selection& selection, GroupBy by,
                             const Work& work) {
  const auto takes_row = [](const store::Row& row) { return row.kind == store::RowKind::kLinkOut; };
  return measure_values(trace, selection, by, work, takes_row, latency_value);
}

std::optional<int64_t> latency_value(const store::Trace& trace, const store::Row& row,
                                     const store::Record& record, TimeRange) {
  if (row.kind != store::RowKind::kLinkOut) return std::nullopt;
  const auto latency = latency_of(trace, ends_of(row.kind, row.lane, record));
  return latency ? std::optional(latency->ticks) : std::nullopt;
}

}  // namespace weft::query
