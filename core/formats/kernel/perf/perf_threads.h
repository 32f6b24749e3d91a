// The threads whose stacks perf sampled: their lanes below those of their processes, and the
// samples of each.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <unordered_set>

#include "core/base/large_vector.h"
#include "core/formats/base/by_name.h"
#include "core/formats/kernel/ftrace/ftrace_lanes.h"
#include "core/formats/stacks/sampled_stacks.h"
#include "core/formats/stacks/stack_timeline.h"
#include "core/trace/event_sink.h"

namespace weft::formats::perf {

struct Thread {
  LaneId lane;
  std::optional<stacks::SampledStacks> samples;
  std::optional<Time> last;  // of its samples
};

// The lane of the idle task of a CPU: all have the number 0.
LaneId idle_task(ftrace::Lanes& lanes, uint32_t cpu);

class Threads {
 public:
  // Lanes are those of `lanes`, which outlives it. The interval is that between samples, where it
  // is known: see SampledStacks.
  Threads(trace::EventSink& sink, ftrace::Lanes& lanes, Duration interval = {})
      : sink_(sink), lanes_(lanes), timeline_(sink), interval_(interval) {}

  // The process -1 is not known, nor the thread -1: one for each command then; nor the CPU -1,
  // where it was sampled.
  Thread& thread(int32_t process, int32_t thread, std::string_view command, int32_t cpu = -1);
  // The lane of a process, which is called so.
  LaneId process(int32_t process, std::string_view command);
  // A frame of this name; by the object where it has none.
  EventTypeId frame(std::string_view symbol, std::string_view object);
  void finish();

 private:
  Thread& nameless_thread(std::string_view command);
  LaneId lane_of(int32_t process, int32_t thread, std::string_view command);
  EventTypeId type_of_frame(std::string_view symbol, std::string_view object);

  trace::EventSink& sink_;
  ftrace::Lanes& lanes_;
  stacks::StackTimeline timeline_;
  const Duration interval_;
  LargePool memory_;
  std::pmr::map<uint32_t, Thread> threads_{&memory_};  // by lane
  std::pmr::unordered_set<int32_t> processes_{&memory_};
  ByName<Thread> commands_;             // of which no thread is said
  ByName<ByName<EventTypeId>> frames_;  // by object and symbol
};

}  // namespace weft::formats::perf
