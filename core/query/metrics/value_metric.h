// The loop of metrics that give each event a value of its own: groups, sums and histogram of what a
// function returns for every selected event. Runs on the pool; exact.
#pragma once

#include "core/aggregate/filtered_scan.h"
#include "core/query/metrics/metrics.h"
#include "core/query/metrics/tally.h"
#include "core/query/reduce.h"
#include "core/query/windows.h"

namespace weft::query {

// takes_row(row): whether its events can have a value at all. value_of(trace, row, record, range):
// the event's value; nullopt if it has none. State: a State of reduce() with add(GroupKey,
// int64_t), which gets kNoGroup for what is not asked for.
template <class State, class TakesRow, class ValueOf>
State reduce_values(const store::Trace& trace, const Selection& selection, GroupBy by,
                    const Work& work, const State& empty, const TakesRow& takes_row,
                    const ValueOf& value_of) {
  std::vector<Window> windows;
  for (const store::Row& row : trace.rows()) {
    if (takes_row(row) && !selection.of(trace, row).takes_nothing())
      append_windows(trace, {&row, 1}, selection.range, windows);
  }
  const auto measure = [&](State& state, size_t i) {
    const Window& window = windows[i];
    const store::Row& row = window.rows.front();
    const RowSelection events = selection.of(trace, row);
    const auto add = [&](const aggregate::PassingRecords& passing) {
      for (const store::Record& record : passing.records) {
        if (!window.owns(record) || !lies_in(row, record, selection.range) || !events.takes(record))
          continue;
        if (const auto value = value_of(trace, row, record, selection.range))
          state.add(group_of(by, row, record), *value);
      }
      return true;
    };
    for_each_passing(row, events.filter(), window.range, aggregate::ScanOrder::kForwards, add);
  };
  return reduce(work, windows.size(), empty, measure);
}

template <class TakesRow, class ValueOf>
Statistics measure_values(const store::Trace& trace, const Selection& selection, GroupBy by,
                          const Work& work, const TakesRow& takes_row, const ValueOf& value_of) {
  return reduce_values(trace, selection, by, work, Tally(trace, by), takes_row, value_of).finish();
}

}  // namespace weft::query
