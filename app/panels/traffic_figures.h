// What goes between lanes: the links of a scope by pair, with messages, bytes and latencies. Work
// for workers; exact.
#pragma once

#include <cstdint>
#include <optional>
#include <stop_token>
#include <vector>

#include "app/panels/scope.h"
#include "core/base/thread_pool.h"
#include "core/query/metrics.h"

namespace weft::app {

struct PairFigures {
  LaneId source;  // none: who sent is not known
  LaneId target;  // none: never received
  uint64_t messages = 0;
  uint64_t bytes = 0;      // of payloads
  query::Group latency{};  // count 0: an end is missing

  bool is_complete() const { return !source.is_none() && !target.is_none(); }
};

struct TrafficFigures {
  Scope key;
  std::vector<PairFigures> pairs{};  // most messages first
  std::vector<LaneId> lanes{};       // the ends of complete pairs, in display order
  uint64_t messages = 0;
  uint64_t unreceived = 0;
  uint64_t unsent = 0;
};

// None where it was told to stop.
std::optional<TrafficFigures> measure_pairs(const Scope& key, ThreadPool& pool,
                                            const std::stop_token& stop);

}  // namespace weft::app
