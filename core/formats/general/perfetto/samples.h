// Sampled call stacks of a Perfetto trace → states, by SampledStacks: those of `traced_perf`, those
// that Chrome's threads take of themselves, and those of other profilers (StackSample). What else a
// sample says is a punctual event beside them.
//
// Names are mostly written behind the samples, which wait for them until the trace is over.
//
// Memory: the samples that wait, and their distinct stacks. What is more is shown by the names that
// are known by then.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "core/base/large_vector.h"
#include "core/formats/general/perfetto/clocks.h"
#include "core/formats/general/perfetto/counter_lanes.h"
#include "core/formats/general/perfetto/fields.h"
#include "core/formats/general/perfetto/sequence.h"
#include "core/formats/general/perfetto/stack_table.h"
#include "core/formats/general/perfetto/symbols.h"
#include "core/formats/kernel/ftrace/ftrace_lanes.h"
#include "core/formats/stacks/sampled_stacks.h"
#include "core/formats/stacks/stack_timeline.h"
#include "core/trace/event_sink.h"

namespace weft::formats::perfetto {

class Samples final : private trace::HeldEvents {
 public:
  Samples(trace::EventSink& sink, ftrace::Lanes& lanes, Clocks& clocks, CounterLanes& counters,
          const Symbols& symbols, uint64_t memory_bytes)
      : HeldEvents(sink),
        sink_(sink),
        lanes_(lanes),
        clocks_(clocks),
        counters_(counters),
        symbols_(symbols),
        most_waiting_(memory_bytes / 2 / sizeof(Sample)),
        most_stack_bytes_(memory_bytes / 2),
        stacks_(sink, symbols, "samples"),
        timeline_(sink) {}

  // Takes the content of a packet; returns false if it is of another kind.
  bool add(const Field& data, Sequence& sequence, std::optional<Time> time, uint64_t offset);
  void finish();

 private:
  struct Sample {
    Time time;
    uint64_t offset = 0;
    uint64_t weight = 0;  // 0: not said
    LaneId lane = LaneId::none();
    EventTypeId type = EventTypeId::none();  // of what else it says
    uint32_t stack = 0;
    int32_t cpu = -1;
    uint8_t mode = 0;  // as StackSample numbers them; 0: not said
  };

  bool add_perf_sample(std::string_view message, const Sequence& sequence, Time time,
                       uint64_t offset);
  bool add_stack_sample(std::string_view message, const Sequence& sequence, Time time,
                        uint64_t offset);
  LaneId lane_of_context(std::string_view message, const Sequence& sequence);
  bool add_streaming(std::string_view message, Sequence& sequence, uint64_t offset);
  // One whose stack is not known is lost.
  void add_sample(const Sample& sample);
  uint32_t stack_of_number(const Sequence& sequence, uint64_t callstack_iid);
  uint32_t number_of(std::vector<StackFrame> frames);
  void give_held() override;
  void show(const Sample& sample);

  trace::EventSink& sink_;
  ftrace::Lanes& lanes_;
  Clocks& clocks_;
  CounterLanes& counters_;
  const Symbols& symbols_;
  const size_t most_waiting_;
  const uint64_t most_stack_bytes_;
  StackTable stacks_;
  LargeVector<Sample> waiting_;
  uint64_t shown_early_ = 0;  // since there was no more memory
  struct KnownStacks {
    uint64_t version = 0;  // of the sequence
    std::unordered_map<uint64_t, uint32_t> numbers;
  };
  std::map<uint32_t, KnownStacks> known_;  // by sequence
  stacks::StackTimeline timeline_;
  struct Thread {
    stacks::SampledStacks stacks;
    Time last;
  };
  std::map<uint32_t, Thread> threads_;  // by lane
};

}  // namespace weft::formats::perfetto
