#include "app/session/scope.h"

#include <utility>

#include "app/session/session.h"

namespace weft::app {

Scope selected_scope(const OpenTrace& trace) {
  const TimeRange otherwise =
      trace.selected_lanes.empty() ? TimeRange{} : trace.view().window.range();
  return {trace.trace(), trace.selection.value_or(otherwise), trace.selected_lanes};
}

std::string_view default_scope(const OpenTrace& trace) {
  return trace.selection ? "selection" : "window";
}

std::optional<Scope> scope_of(const OpenTrace& trace, std::string_view part) {
  Scope scope = {trace.trace(), query::whole_range(*trace.trace()), {}};
  if (part == "window") scope.range = trace.view().window.range();
  if (part == "selection") {
    if (!trace.selection) return std::nullopt;
    scope.range = *trace.selection;
    scope.lanes = trace.selected_lanes;
  }
  return scope;
}

query::Selection selection_of(const Scope& scope) {
  query::Selection selection = query::Selection::all(*scope.trace);
  selection.range = scope.range;
  if (scope.only) selection.narrow(*scope.trace, scope.only);
  if (scope.lanes.empty()) return selection;
  const trace::Dictionary& dictionary = scope.trace->dictionary();
  aggregate::Condition on_lanes;
  on_lanes.on = aggregate::Condition::On::kLane;
  on_lanes.ids.assign(dictionary.lanes.size(), false);
  for (const LaneId lane : scope.lanes) {
    if (lane.value() < on_lanes.ids.size()) on_lanes.ids[lane.value()] = true;
  }
  for (const LaneId lane : dictionary.lanes_in_order()) {  // parents before their children
    const LaneId parent = dictionary.lane(lane).parent;
    if (parent.value() < on_lanes.ids.size() && on_lanes.ids[parent.value()]) {
      on_lanes.ids[lane.value()] = true;
    }
  }
  selection.narrow(*scope.trace, aggregate::where(std::move(on_lanes)));
  return selection;
}

}  // namespace weft::app
