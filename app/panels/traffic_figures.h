// What goes between lanes: the links of a scope by pair of lanes and by type, with messages, bytes,
// latencies and, where that is asked for, what was never answered. Work for workers; exact.
#pragma once

#include <cstdint>
#include <optional>
#include <stop_token>
#include <vector>

#include "app/panels/scope.h"
#include "core/base/thread_pool.h"
#include "core/query/metrics.h"

namespace weft::app {

struct FlowFigures {
  uint64_t messages = 0;
  uint64_t bytes = 0;       // of payloads
  uint64_t unanswered = 0;  // where they were counted
  query::Group latency{};   // count 0: an end is missing
};

struct PairFigures : FlowFigures {
  LaneId source = LaneId::none();  // none: who sent is not known
  LaneId target = LaneId::none();  // none: never received

  bool is_complete() const { return !source.is_none() && !target.is_none(); }
};

struct TypeFigures : FlowFigures {
  EventTypeId type;
};

struct TrafficKey : Scope {
  bool by_type = false;            // types are asked for, too
  bool counts_unanswered = false;  // takes microseconds for each message
  bool operator==(const TrafficKey&) const = default;
};

struct TrafficFigures {
  TrafficKey key;
  std::vector<PairFigures> pairs{};  // most messages first
  std::vector<TypeFigures> types{};  // most messages first; where they are asked for
  std::vector<LaneId> lanes{};       // the ends of complete pairs, in display order
  uint64_t messages = 0;
  uint64_t unreceived = 0;
  uint64_t unsent = 0;
};

// None where it was told to stop.
std::optional<TrafficFigures> measure_traffic(const TrafficKey& key, ThreadPool& pool,
                                              const std::stop_token& stop);

}  // namespace weft::app
