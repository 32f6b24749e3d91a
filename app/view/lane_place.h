// Finds where a lane stands among the lanes that are shown, for steps that lead to a lane.
#pragma once

#include "app/view/view_history.h"
#include "core/layout/lane_order.h"
#include "core/store/trace.h"

namespace weft::app {

struct LanePlaceKey {
  store::TracePtr trace;
  LaneViewPtr lanes;
  LaneId lane;
  bool operator==(const LanePlaceKey&) const = default;
};

// Worker threads only if there are many lanes: O(lanes).
inline layout::LanePlace place_of_lane(const LanePlaceKey& key) {
  return layout::place_of_lane(key.trace->dictionary(), key.trace->rows(), key.lanes->arrangement,
                               key.lane);
}

}  // namespace weft::app
