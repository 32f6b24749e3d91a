#include "core/query/latency_metric.h"

#include "core/query/reduce.h"
#include "core/query/tally.h"
#include "core/query/windows.h"

namespace weft::query {

Statistics measure_latencies(const store::Trace& trace, const Selection& selection, GroupBy by,
                             ThreadPool& pool) {
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
    trace.for_each_block(row, window.range, [&](std::span<const store::Record> block) {
      for (const store::Record& record : block) {
        if (window.owns(record) && lies_in(row, record, selection.range) && events.takes(record) &&
            !record.peer.is_none()) {
          tally.add(group_of(by, row, record), record.duration.ticks);
        }
      }
      return true;
    });
  };
  return reduce(pool, windows.size(), Tally(trace, by), measure).finish();
}

}  // namespace weft::query
