// A tree of GHC's cost centres, whatever says it, as stacks that lie side by side, as wide as each
// ran long by itself; what else is said of a centre is a punctual event at its begin.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/formats/stacks/stack_timeline.h"
#include "core/formats/stacks/weighted_stacks.h"

namespace weft::formats::ghc {

// Times are microseconds.
class CostCentres {
 public:
  explicit CostCentres(trace::EventSink& sink);

  struct Centre {
    std::string_view label, module;
    int64_t own_us = 0;
    std::string_view
        costs;  // an object; empty: it is in the tree for what it called, or not at all
  };
  // Below the one that was entered last and not left.
  void enter(const Centre& centre);
  void leave() { frames_.pop_back(); }
  size_t depth() const { return frames_.size(); }
  void finish() { timeline_.finish(); }

 private:
  trace::EventSink& sink_;
  stacks::StackTimeline timeline_;
  const LaneId calls_, costs_;
  stacks::WeightedStacks stacks_;
  std::vector<EventTypeId> frames_;  // from the root to the centre
};

}  // namespace weft::formats::ghc
