// Who sends to whom: the links of a selection, counted by pair of lanes.
#pragma once

#include <cstdint>
#include <vector>

#include "core/query/selection.h"
#include "core/query/work.h"
#include "core/store/trace.h"

namespace weft::query {

struct PairTraffic {
  LaneId source;
  LaneId target;
  uint64_t messages = 0;
  bool operator==(const PairTraffic&) const = default;
};

struct Traffic {
  std::vector<PairTraffic> pairs;  // in order of source, then target; links that lack an end are
                                   // not among them
  std::vector<LaneId> lanes;       // those that send or receive, in order of their first time
};

// O(links of the selection), shared among threads.
Traffic measure_traffic(const store::Trace& trace, const Selection& selection, const Work& work);

// The lanes of a whole trace's traffic, from what its rows say of themselves: O(rows).
std::vector<LaneId> lanes_of_messages(const store::Trace& trace);

}  // namespace weft::query
