// A trace's events as one plain list: what the queries are compared with.
#pragma once

#include <algorithm>
#include <tuple>
#include <vector>

#include "core/query/selection.h"
#include "core/store/trace.h"
#include "tests/core/store/random_trace.h"

namespace weft::query {

using testing_traces::ScratchFolder;

struct FlatEvent {
  const store::Row* row;
  store::Record record;

  auto key() const { return std::tuple(record.begin, row); }  // rows lie in display order
};

// Every event once (a link by its send, or by its receive where the send is missing), in order.
inline std::vector<FlatEvent> flat_events(const store::Trace& trace) {
  std::vector<FlatEvent> events;
  for (const store::Row& row : trace.rows()) {
    for (uint64_t i = 0; i < row.count; ++i) {
      const store::Record record = trace.record(row, i);
      if (row.kind == store::RowKind::kLinkIn && !record.peer.is_none()) continue;
      events.push_back({&row, record});
    }
  }
  std::ranges::stable_sort(events, {}, &FlatEvent::key);
  return events;
}

// The same, as the definitions of selection.h say, one event at a time.
inline bool is_in(const Selection& selection, const FlatEvent& event) {
  const auto& [row, record] = event;
  const auto category = static_cast<size_t>(category_of(row->kind));
  if (!selection.categories[category] || !selection.lanes[row->lane.value()]) return false;
  if (!selection.types[record.type.value()]) return false;
  const TimeRange range = selection.range;
  if (range.contains(record.begin)) return true;
  return row->kind == store::RowKind::kState && record.begin < range.begin &&
         record.end() > range.begin && range.begin < range.end;
}

// A random part of the trace: of its time always, of its types and lanes sometimes.
inline Selection random_selection(const store::Trace& trace, std::mt19937_64& random) {
  Selection selection = Selection::all(trace);
  const auto length = static_cast<uint64_t>(selection.range.length().ticks);
  const auto at = [&] {
    return selection.range.begin + Duration{static_cast<int64_t>(random() % (length + 1))};
  };
  const auto [from, to] = std::minmax({at(), at()});
  selection.range = {from, to};
  if (random() % 2 == 0) {
    selection.has_all_types = false;
    for (size_t i = 0; i < selection.types.size(); ++i) selection.types[i] = random() % 2 == 0;
  }
  if (random() % 3 == 0) selection.lanes[random() % selection.lanes.size()] = false;
  return selection;
}

}  // namespace weft::query
