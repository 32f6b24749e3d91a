// States of a lane that overlap and lie in none of each other: they have rows of their own, and the
// trace says so, among its losses: nothing is lost, but nobody nests so who calls.
#pragma once

#include <cstdint>
#include <string_view>

#include "core/base/time.h"
#include "core/trace/model.h"

namespace weft::store {

// The kind of loss; each place is a lane's first such state.
inline constexpr std::string_view kOverlapLoss = "states that overlap, on rows of their own";

struct Overlaps {
  LaneId lane;
  uint64_t states = 0;  // that end behind one that had begun before, and not ended
  Time first;           // begin of the first of them
};

// Lanes for what may overlap tell nothing by it.
constexpr bool may_overlap(trace::LaneKind kind) {
  return kind == trace::LaneKind::kAsync || kind == trace::LaneKind::kQueue;
}

}  // namespace weft::store
