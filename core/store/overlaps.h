// States of a lane that overlap without nesting. They get rows of their own, and the trace's losses
// mention them: nothing is lost, but call stacks do not look like that.
#pragma once

#include <cstdint>
#include <string_view>

#include "core/base/time.h"
#include "core/trace/model.h"

namespace weft::store {

// The kind of loss; each place is the first such state of a lane.
inline constexpr std::string_view kOverlapLoss = "states that overlap, on rows of their own";

struct Overlaps {
  LaneId lane;
  uint64_t states = 0;  // that overlap an earlier one without lying within it
  Time first;           // begin of the first of them
};

// Whether overlaps are normal on lanes of this kind, and so not worth reporting.
constexpr bool may_overlap(trace::LaneKind kind) {
  return kind == trace::LaneKind::kAsync || kind == trace::LaneKind::kQueue;
}

}  // namespace weft::store
