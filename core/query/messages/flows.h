// Traffic between lanes: the links of a selection by pair of lanes and by type, with messages,
// bytes, latencies and unanswered messages, in one pass.
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
  uint64_t bytes = 0;       // payload bytes
  uint64_t unanswered = 0;  // if counted (FlowsAsked)
  Distribution latencies;   // of messages with both ends; empty if latencies are unknown
};

struct PairFlow : Flow {
  LaneId source = LaneId::none();  // none(): sender unknown
  LaneId target = LaneId::none();  // none: never received

  bool is_complete() const { return !source.is_none() && !target.is_none(); }
};

struct TypeFlow : Flow {
  EventTypeId type;
};

struct Flows {
  std::vector<PairFlow> pairs;  // most messages first
  std::vector<TypeFlow> types;  // most messages first
  double share = 1;             // share of the messages read so far; 1: all
};

struct FlowsAsked {
  bool unanswered = false;  // costs microseconds per message (answer_search.h)
};

// O(links of the selection), shared among threads. Links are read in an order spread over the
// trace; so_far() gets interim results after the first 64th of them, then each time that amount has
// doubled or a second has passed. If stopped, the result is partial.
Flows measure_flows(const store::Trace& trace, const Selection& selection, FlowsAsked asked,
                    const Work& work, const std::function<void(Flows)>& so_far);

}  // namespace weft::query
