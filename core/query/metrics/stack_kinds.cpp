#include "core/query/metrics/stack_kinds.h"

#include <set>
#include <utility>

#include "core/trace/model.h"

namespace weft::query {
namespace {

using trace::LaneKind;

StackKind kind_of(const trace::Dictionary& dictionary, const trace::Lane& lane, bool is_nested) {
  switch (lane.kind) {
    case LaneKind::kThread:
      return StackKind::kThreads;
    case LaneKind::kAsync:
      return StackKind::kAsync;
    case LaneKind::kCpu:
      return StackKind::kCpus;
    default:
      break;
  }
  const bool is_below_thread =
      !lane.parent.is_none() && dictionary.lane(lane.parent).kind == LaneKind::kThread;
  return is_nested && is_below_thread ? StackKind::kStacks : StackKind::kOthers;
}

// Returns the kind of each lane.
std::vector<StackKind> kinds_of_lanes(const store::Trace& trace) {
  const trace::Dictionary& dictionary = trace.dictionary();
  std::vector<bool> is_nested(dictionary.lanes.size());
  for (const store::Row& row : trace.rows()) {
    if (row.kind == store::RowKind::kState && row.depth > 0) is_nested[row.lane.value()] = true;
  }
  std::vector<StackKind> kinds;
  for (size_t i = 0; i < is_nested.size(); ++i)
    kinds.push_back(kind_of(dictionary, dictionary.lanes[i], is_nested[i]));
  return kinds;
}

}  // namespace

std::vector<StackKind> stack_kinds(const store::Trace& trace) {
  const std::vector<StackKind> of_lanes = kinds_of_lanes(trace);
  std::set<StackKind> kinds;
  for (const store::Row& row : trace.rows()) {
    if (row.kind == store::RowKind::kState && row.count > 0)
      kinds.insert(of_lanes[row.lane.value()]);
  }
  return {kinds.begin(), kinds.end()};
}

aggregate::FormulaPtr on_lanes_of(StackKind kind, const store::Trace& trace) {
  aggregate::Condition condition;
  condition.on = aggregate::Condition::On::kLane;
  for (const StackKind of : kinds_of_lanes(trace)) condition.ids.push_back(of == kind);
  return aggregate::where(std::move(condition));
}

}  // namespace weft::query
