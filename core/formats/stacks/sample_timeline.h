// Stacks sampled at instants become states: a sample lasts until the thread's next one. How long
// the last of a burst lasts nobody knows: it is shown for the thread's shortest gap, so that a
// thread that sleeps is not drawn running.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "core/formats/stacks/stack_timeline.h"
#include "core/trace/event_sink.h"

namespace weft::formats::stacks {

class SampleTimeline {
 public:
  explicit SampleTimeline(trace::EventSink& sink) : timeline_(sink) {}

  // Frames from the outermost to the innermost. False where it lies before the lane's last one.
  bool add(LaneId lane, std::span<const EventTypeId> frames, Time time);
  // Gives what still lasts.
  void finish();

 private:
  struct Thread {
    Time time;  // of its last sample
    bool has_sample = false;
    int64_t shortest_gap = 0;
    std::vector<EventTypeId> frames;
  };
  void end_sample(uint32_t lane, Thread& thread, std::optional<Time> next);

  StackTimeline timeline_;
  std::map<uint32_t, Thread> threads_;  // by lane
};

}  // namespace weft::formats::stacks
