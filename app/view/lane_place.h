// Where a lane stands in what is shown of a trace: what steps ask for that lead to one.
#pragma once

#include <memory>

#include "app/view/view_history.h"
#include "core/layout/lane_order.h"
#include "core/store/trace.h"

namespace weft::app {

struct LanePlaceKey {
  std::shared_ptr<const store::Trace> trace;
  LaneViewPtr lanes;
  LaneId lane;
  bool operator==(const LanePlaceKey&) const = default;
};

// Work for workers, where there are many lanes.
inline layout::LanePlace place_of_lane(const LanePlaceKey& key) {
  return layout::place_of_lane(key.trace->dictionary(), key.trace->rows(), key.lanes->arrangement,
                               key.lane);
}

}  // namespace weft::app
