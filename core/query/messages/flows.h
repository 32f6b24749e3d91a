// What goes between lanes: the links of a selection by pair of lanes and by type, with messages,
// bytes, latencies and what was never answered, all of it in one pass.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "core/query/metrics/distribution.h"
#include "core/query/selection.h"
#include "core/query/work.h"
#include "core/store/trace.h"

namespace weft::query {

struct Flow {
  uint64_t messages = 0;
  uint64_t bytes = 0;       // of payloads
  uint64_t unanswered = 0;  // where they were counted
  Distribution latencies;   // of messages that have both ends; none where they are not known
};

struct PairFlow : Flow {
  LaneId source = LaneId::none();  // none: who sent is not known
  LaneId target = LaneId::none();  // none: never received

  bool is_complete() const { return !source.is_none() && !target.is_none(); }
};

struct TypeFlow : Flow {
  EventTypeId type;
};

struct Flows {
  std::vector<PairFlow> pairs;  // most messages first
  std::vector<TypeFlow> types;  // most messages first
  double share = 1;             // of the messages that was read so far; 1: all
};

struct FlowsAsked {
  bool unanswered = false;  // microseconds for each message (answer_search.h)
};

// O(links of the selection), shared among threads. They are read in an order that is spread over
// the trace, and so_far() gets the figures of what has been read after the first 64th of them, and
// whenever that has doubled or a second has passed. Stopped: of a part.
Flows measure_flows(const store::Trace& trace, const Selection& selection, FlowsAsked asked,
                    const Work& work, const std::function<void(Flows)>& so_far);

}  // namespace weft::query
