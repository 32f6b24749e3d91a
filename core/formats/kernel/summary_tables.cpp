#include "core/formats/kernel/summary_tables.h"

#include <algorithm>
#include <utility>

#include "core/formats/stacks/stack_timeline.h"
#include "core/formats/stacks/weighted_stacks.h"

namespace weft::formats {

bool SummaryTables::begin_table(std::string name) {
  if (tables_.size() == kMostTables) return false;
  tables_.push_back({.name = std::move(name), .rows = {}});
  return true;
}

bool SummaryTables::add(Row row) {
  if (tables_.empty() || rows_ == kMostRows) return false;
  ++rows_;
  tables_.back().rows.push_back(std::move(row));
  return true;
}

void SummaryTables::give(trace::EventSink& sink, std::string_view group) const {
  const bool has_time = std::ranges::any_of(tables_, [](const Table& table) {
    return std::ranges::any_of(table.rows, [](const Row& row) { return row.ns > 0; });
  });
  sink.set_time_base(has_time ? TimeBase::kNanoseconds : TimeBase::kTicks);
  stacks::StackTimeline timeline(sink);
  for (const Table& table : tables_) {
    const LaneId lane = sink.add_lane({.name = table.name, .kind = trace::LaneKind::kThread});
    const LaneId costs =
        sink.add_lane({.name = "costs", .parent = lane, .kind = trace::LaneKind::kAsync});
    stacks::WeightedStacks rows(timeline, lane);
    for (const Row& row : table.rows) {
      sink.give(
          trace::PunctualEvent{.time = rows.now(),
                               .params = sink.params(row.params),
                               .lane = costs,
                               .type = sink.type(trace::Category::kPunctual, row.name, group)});
      const EventTypeId type = sink.type(trace::Category::kState, row.name, group);
      rows.add({&type, 1}, has_time ? row.ns : row.count);
    }
  }
  timeline.finish();
}

}  // namespace weft::formats
