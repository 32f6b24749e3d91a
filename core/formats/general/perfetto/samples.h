// Sampled call stacks of a Perfetto trace → states, by SampledStacks: those of `traced_perf`, those
// that Chrome's threads take of themselves, and those of other profilers (StackSample).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/formats/general/perfetto/clocks.h"
#include "core/formats/general/perfetto/counter_lanes.h"
#include "core/formats/general/perfetto/fields.h"
#include "core/formats/general/perfetto/sequence.h"
#include "core/formats/kernel/ftrace/ftrace_lanes.h"
#include "core/formats/stacks/sampled_stacks.h"
#include "core/formats/stacks/stack_timeline.h"
#include "core/trace/event_sink.h"

namespace weft::formats::perfetto {

class Samples {
 public:
  Samples(trace::EventSink& sink, ftrace::Lanes& lanes, Clocks& clocks, CounterLanes& counters)
      : sink_(sink), lanes_(lanes), clocks_(clocks), counters_(counters), timeline_(sink) {}

  // Takes the content of a packet; returns false if it is of another kind.
  bool add(const Field& data, Sequence& sequence, std::optional<Time> time, uint64_t offset);
  void finish();

 private:
  bool add_perf_sample(std::string_view message, const Sequence& sequence, Time time,
                       uint64_t offset);
  bool add_stack_sample(std::string_view message, const Sequence& sequence, Time time,
                        uint64_t offset);
  LaneId lane_of_context(std::string_view message, const Sequence& sequence);
  bool add_streaming(std::string_view message, Sequence& sequence, uint64_t offset);
  void add_stack(LaneId lane, std::span<const std::string> frames, Time time, uint64_t offset);

  trace::EventSink& sink_;
  ftrace::Lanes& lanes_;
  Clocks& clocks_;
  CounterLanes& counters_;
  stacks::StackTimeline timeline_;
  struct Thread {
    stacks::SampledStacks stacks;
    Time last;
  };
  std::map<uint32_t, Thread> threads_;  // by lane
};

}  // namespace weft::formats::perfetto
