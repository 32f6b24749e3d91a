// What was sent into a queue and not received yet, so that a link can go from where it was sent to
// where it is received: first in, first out, but for what was sent to the front.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>

#include "core/trace/event_sink.h"

namespace weft::formats::psf {

// Where something was sent.
struct Origin {
  Time time;
  LaneId lane;
};

// Of one queue: what was sent to the front, what was sent unseen, what was sent since.
struct Flow {
  std::deque<Origin> front, sent;
  uint64_t unseen = 0;
};

// Bounded over all queues: what is beyond it counts as unseen.
class Flows {
 public:
  void send(Flow& flow, const Origin& origin, bool is_front);
  // Nothing where it was sent unseen.
  std::optional<Origin> receive(Flow& flow);
  // How many the queue holds now, as the target says: others were sent unseen, or lost.
  void match(Flow& flow, uint64_t level);
  void forget(Flow& flow);

 private:
  void drop(std::deque<Origin>& from, uint64_t count);

  size_t stored_ = 0;
};

}  // namespace weft::formats::psf
