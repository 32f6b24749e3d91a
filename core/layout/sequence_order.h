// Selects and orders the lanes of a sequence diagram.
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
  std::vector<LaneId> lanes;  // displayed lanes that send or receive
  uint64_t length = 0;        // summed over all arrows, in lanes
};

// Pure; costs as much as order_nodes(). `moves`, the user's changes to that order, are applied one
// after the other; moves of absent lanes have no effect.
SequenceOrder order_lanes(const query::Traffic& traffic, const ShownLanes& shown,
                          MessageOrder order, std::span<const LaneMove> moves = {});

// Maps every lane to itself.
ShownLanes all_shown(const trace::Dictionary& dictionary);

}  // namespace weft::layout
