#include "core/query/payload_metric.h"

#include "core/aggregate/filtered_scan.h"
#include "core/query/reduce.h"
#include "core/query/tally.h"
#include "core/query/windows.h"

namespace weft::query {

Statistics measure_payloads(const store::Trace& trace, const Selection& selection, GroupBy by,
                            const Work& work) {
  std::vector<Window> windows;
  for (const store::Row& row : trace.rows()) {
    if (!selection.of(trace, row).takes_nothing())
      append_windows(trace, {&row, 1}, selection.range, windows);
  }
  const auto measure = [&](Tally& tally, size_t i) {
    const Window& window = windows[i];
    const store::Row& row = window.rows.front();
    const RowSelection events = selection.of(trace, row);
    const auto add = [&](const aggregate::PassingRecords& passing) {
      for (const store::Record& record : passing.records) {
        if (!window.owns(record) || !lies_in(row, record, selection.range) || !events.takes(record))
          continue;
        if (const auto bytes = payload_value(trace, row, record, selection.range))
          tally.add(group_of(by, row, record), *bytes);
      }
      return true;
    };
    for_each_passing(row, events.filter(), window.range, aggregate::ScanOrder::kForwards, add);
  };
  return reduce(work, windows.size(), Tally(trace, by), measure).finish();
}

std::optional<int64_t> payload_value(const store::Trace& trace, const store::Row&,
                                     const store::Record& record, TimeRange) {
  const auto size = static_cast<int64_t>(trace.params(record.params).payload.size());
  return size == 0 ? std::nullopt : std::optional(size);
}

}  // namespace weft::query
