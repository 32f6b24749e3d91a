// States of a lane of which the trace's losses tell. Those that overlap without nesting get rows of
// their own: nothing is lost, but call stacks do not look like that. Those that would need more
// rows than a lane may have are not kept.
#pragma once

#include <cstdint>
#include <string_view>

#include "core/base/time.h"
#include "core/trace/model.h"

namespace weft::store {

// The kinds of loss; each place is the first such state of a lane.
inline constexpr std::string_view kOverlapLoss = "states that overlap, on rows of their own";
inline constexpr std::string_view kDepthLoss = "states deeper than a lane has rows";

struct StatesOfLane {
  LaneId lane;
  uint64_t states = 0;
  Time first;  // begin of the first of them
};

// Whether overlaps are normal on lanes of this kind, and so not worth reporting.
constexpr bool may_overlap(trace::LaneKind kind) {
  return kind == trace::LaneKind::kAsync || kind == trace::LaneKind::kQueue;
}

}  // namespace weft::store
