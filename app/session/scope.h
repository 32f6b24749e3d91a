// Which events the figures of a panel are of: a part of time, some lanes, what a filter lets pass.
// A plain value, frame-safe; what panels ask workers for begins with one.
#pragma once

#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "core/aggregate/filter.h"
#include "core/query/selection.h"
#include "core/store/trace.h"

namespace weft::app {

class OpenTrace;

struct Scope {
  std::shared_ptr<const store::Trace> trace;
  TimeRange range;
  std::vector<LaneId> lanes = {};   // with what lies below; none: all
  aggregate::FormulaPtr only = {};  // nothing else; null: everything
  bool operator==(const Scope&) const = default;
};

// The selected range and lanes; the window where lanes alone are selected, nothing where nothing
// is.
Scope selected_scope(const OpenTrace& trace);

// All of it ("trace"), what is shown ("window"), or the selected range and lanes ("selection");
// nothing where nothing is selected.
std::optional<Scope> scope_of(const OpenTrace& trace, std::string_view part);

// What the figures of a panel are of until its options say it: "selection" where there is one, else
// "window".
std::string_view default_scope(const OpenTrace& trace);

// As queries have it. O(lanes).
query::Selection selection_of(const Scope& scope);

}  // namespace weft::app
