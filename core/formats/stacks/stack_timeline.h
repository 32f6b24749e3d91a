// Turns sampled stacks into states: a frame lasts while consecutive samples, without a gap, have it
// at the same depth below the same callers.
#pragma once

#include <span>
#include <vector>

#include "core/base/large_vector.h"
#include "core/trace/event_sink.h"

namespace weft::formats::stacks {

class StackTimeline {
 public:
  explicit StackTimeline(trace::EventSink& sink) : sink_(sink) {}

  // Adds a stack seen from `begin` to `end`, which is noted if it lasts no time; frames from
  // outermost to innermost. Stacks of a lane must come in order.
  void add(LaneId lane, std::span<const EventTypeId> frames, Time begin, Time end);
  // Gives the open states.
  void finish();

 private:
  struct Frame {
    EventTypeId type;
    Time begin;
  };
  struct Open {
    explicit Open(std::pmr::memory_resource* memory) : frames(memory) {}
    std::pmr::vector<Frame> frames;
    Time end{};  // of the last sample
  };
  void close(LaneId lane, Open& open, size_t depth);

  trace::EventSink& sink_;
  LargePool memory_;
  LargeVector<Open> open_;                 // by lane
  std::vector<trace::StateEvent> states_;  // that are given together; kept for its memory
};

}  // namespace weft::formats::stacks
