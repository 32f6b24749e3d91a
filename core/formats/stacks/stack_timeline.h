// Stacks that were sampled become states: a frame lasts while samples that follow each other
// without a gap have it at the same depth, below the same callers.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "core/trace/event_sink.h"

namespace weft::formats::stacks {

class StackTimeline {
 public:
  explicit StackTimeline(trace::EventSink& sink) : sink_(sink) {}

  // Frames from the outermost to the innermost, seen from `begin` to `end`. Of a lane in order.
  void add(LaneId lane, std::span<const EventTypeId> frames, Time begin, Time end);
  // Gives what still lasts.
  void finish();

 private:
  struct Frame {
    EventTypeId type;
    Time begin;
  };
  struct Open {
    std::vector<Frame> frames;
    Time end;  // of the last sample
  };
  void close(LaneId lane, Open& open, size_t depth);

  trace::EventSink& sink_;
  std::map<uint32_t, Open> open_;  // by lane
};

}  // namespace weft::formats::stacks
