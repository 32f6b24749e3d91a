// Which events the figures of a panel are of: a part of time, some lanes, what a filter lets pass.
// A plain value, frame-safe; what panels ask workers for begins with one.
#pragma once

#include <memory>
#include <vector>

#include "core/aggregate/filter.h"
#include "core/query/selection.h"
#include "core/store/trace.h"

namespace weft::app {

struct Scope {
  std::shared_ptr<const store::Trace> trace;
  TimeRange range;
  std::vector<LaneId> lanes = {};   // with what lies below; none: all
  aggregate::FormulaPtr only = {};  // nothing else; null: everything
  bool operator==(const Scope&) const = default;
};

// As queries have it. O(lanes).
query::Selection selection_of(const Scope& scope);

}  // namespace weft::app
