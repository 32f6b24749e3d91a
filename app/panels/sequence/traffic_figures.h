// The traffic between the lanes of a scope (query::Flows), with sums. Worker threads only.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <vector>

#include "app/session/scope.h"
#include "core/base/thread_pool.h"
#include "core/query/messages/flows.h"

namespace weft::app {

struct TrafficKey : Scope {
  bool counts_unanswered = false;
  bool operator==(const TrafficKey&) const = default;
};

struct TrafficFigures : query::Flows {
  TrafficKey key;
  std::vector<LaneId> lanes{};      // the ends of complete pairs, in display order
  query::Distribution latencies{};  // of all messages
  uint64_t messages = 0;
  uint64_t unreceived = 0;
  uint64_t unsent = 0;
};

// nullopt if it was stopped. `publish` receives the figures of what has been read so far.
std::optional<TrafficFigures> measure_traffic(const TrafficKey& key, ThreadPool& pool,
                                              const std::stop_token& stop,
                                              const std::function<void(TrafficFigures)>& publish);

}  // namespace weft::app
