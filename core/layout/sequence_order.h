// Which lanes a sequence diagram has, from left to right.
#pragma once

#include <cstdint>
#include <vector>

#include "core/layout/message_order.h"
#include "core/layout/messages.h"
#include "core/query/traffic.h"

namespace weft::layout {

struct SequenceOrder {
  std::vector<LaneId> lanes;  // as shown, those that send or receive
  uint64_t length = 0;        // of all arrows together, in lanes
};

// A pure function of the traffic. Cost: that of order_nodes.
SequenceOrder order_lanes(const query::Traffic& traffic, const ShownLanes& shown,
                          MessageOrder order);

// Every lane where it is.
ShownLanes all_shown(const trace::Dictionary& dictionary);

}  // namespace weft::layout
