// Which lanes a sequence diagram has, from left to right.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/layout/lane_order.h"
#include "core/layout/message_order.h"
#include "core/layout/messages.h"
#include "core/query/messages/traffic.h"

namespace weft::layout {

struct SequenceOrder {
  std::vector<LaneId> lanes;  // as shown, those that send or receive
  uint64_t length = 0;        // of all arrows together, in lanes
};

// A pure function of the traffic. Cost: that of order_nodes. `moves` are what the user did to that
// order, one after the other; those of lanes that are not among them do nothing.
SequenceOrder order_lanes(const query::Traffic& traffic, const ShownLanes& shown,
                          MessageOrder order, std::span<const LaneMove> moves = {});

// Every lane where it is.
ShownLanes all_shown(const trace::Dictionary& dictionary);

}  // namespace weft::layout
