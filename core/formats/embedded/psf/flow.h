// Tracks what was sent into a queue and not yet received, so that links go from sender to receiver:
// first in, first out, except what was sent to the front.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>

#include "core/trace/event_sink.h"

namespace weft::formats::psf {

// The origin of something sent.
struct Origin {
  Time time;
  LaneId lane;
};

// The content of one queue: items sent to the front, items sent unseen, items sent since.
struct Flow {
  std::deque<Origin> front, sent;
  uint64_t unseen = 0;
};

// All queues, bounded in total: excess items count as unseen.
class Flows {
 public:
  void send(Flow& flow, const Origin& origin, bool is_front);
  // Returns nullopt if it was sent unseen.
  std::optional<Origin> receive(Flow& flow);
  // Corrects the queue to the level reported by the target: other items were sent unseen, or lost.
  void match(Flow& flow, uint64_t level);
  void forget(Flow& flow);

 private:
  void drop(std::deque<Origin>& from, uint64_t count);

  size_t stored_ = 0;
};

}  // namespace weft::formats::psf
