#include "core/query/metrics/payload_metric.h"

#include "core/query/metrics/value_metric.h"

namespace weft::query {

Statistics measure_payloads(const store::Trace& trace, const Selection& selection, GroupBy by,
                            const Work& work) {
  const auto takes_row = [](const store::Row&) { return true; };
  return measure_values(trace, selection, by, work, takes_row, payload_value);
}

std::optional<int64_t> payload_value(const store::Trace& trace, const store::Row&,
                                     const store::Record& record, TimeRange) {
  const auto size = static_cast<int64_t>(trace.params(record.params).payload.size());
  return size == 0 ? std::nullopt : std::optional(size);
}

}  // namespace weft::query
