// The links of a selection, counted by pair of lanes.
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
  std::vector<PairTraffic> pairs;  // in order of source, then target; without links that lack an
                                   // end
  std::vector<LaneId> lanes;       // lanes that send or receive, in order of first use
};

// Counts the links. O(links of the selection), shared among threads.
Traffic measure_traffic(const store::Trace& trace, const Selection& selection, const Work& work);

// Returns the lanes of a whole trace's traffic, from the rows' summaries. O(rows).
std::vector<LaneId> lanes_of_messages(const store::Trace& trace);

}  // namespace weft::query
