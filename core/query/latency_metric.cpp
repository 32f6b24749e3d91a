#include "core/query/latency_metric.h"

#include "core/aggregate/filtered_scan.h"
#include "core/query/reduce.h"
#include "core/query/tally.h"
#include "core/query/windows.h"

namespace weft::query {

Statistics measure_latencies(const store::Trace& trace, const Selection& selection, GroupBy by,
                             const Work& work) {
  std::vector<Window> windows;
  for (const store::Row& row : trace.rows()) {
    if (row.kind == store::RowKind::kLinkOut && !selection.of(trace, row).takes_nothing()) {
      append_windows(trace, {&row, 1}, selection.range, windows);
    }
  }
  const auto measure = [&](Tally& tally, size_t i) {
    const Window& window = windows[i];
    const store::Row& row = window.rows.front();
    const RowSelection events = selection.of(trace, row);
    const auto add = [&](const aggregate::PassingRecords& passing) {
      for (const store::Record& record : passing.records) {
        if (window.owns(record) && lies_in(row, record, selection.range) && events.takes(record) &&
            !record.peer.is_none()) {
          tally.add(group_of(by, row, record), record.duration.ticks);
        }
      }
      return true;
    };
    for_each_passing(row, events.filter(), window.range, aggregate::ScanOrder::kForwards, add);
  };
  return reduce(work, windows.size(), Tally(trace, by), measure).finish();
}

std::optional<int64_t> latency_value(const store::Trace&, const store::Row& row,
                                     const store::Record& record, TimeRange) {
  if (row.kind != store::RowKind::kLinkOut || record.peer.is_none()) return std::nullopt;
  return record.duration.ticks;
}

}  // namespace weft::query
