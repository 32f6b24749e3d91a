// The events that a panel's figures cover: a range of time, some lanes, and what passes a filter. A
// plain value, frame-safe; the keys of panels' questions to workers contain one.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "core/aggregate/filter.h"
#include "core/query/selection.h"
#include "core/store/trace.h"

namespace weft::app {

class OpenTrace;

struct Scope {
  store::TracePtr trace;
  TimeRange range;
  std::vector<LaneId> lanes = {};   // including the lanes below them; none: all
  aggregate::FormulaPtr only = {};  // the filter; null: everything passes
  bool operator==(const Scope&) const = default;
};

// The selected range and lanes; the window if only lanes are selected; an empty range if nothing is
// selected.
Scope selected_scope(const OpenTrace& trace);

// The whole trace ("trace"), what is shown ("window"), or the selected range and lanes
// ("selection"); nullopt if nothing is selected.
std::optional<Scope> scope_of(const OpenTrace& trace, std::string_view part);

// The scope of a panel until its options name one: "selection" if there is one, otherwise "window".
std::string_view default_scope(const OpenTrace& trace);

// Converts to the form that queries take. O(lanes).
query::Selection selection_of(const Scope& scope);

}  // namespace weft::app
