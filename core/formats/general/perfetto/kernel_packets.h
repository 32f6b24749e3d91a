// Packets in which other kernels than Linux's (QNX's, say) tell of tasks and frequencies. They are
// told to the same Kernel, in the order in which they stand.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string_view>

#include "core/formats/general/perfetto/counter_lanes.h"
#include "core/formats/general/perfetto/fields.h"
#include "core/formats/kernel/ftrace/kernel.h"
#include "core/trace/event_sink.h"

namespace weft::formats::perfetto {

class KernelPackets {
 public:
  KernelPackets(trace::EventSink& sink, ftrace::Kernel& kernel, CounterLanes& counters)
      : sink_(sink), kernel_(kernel), counters_(counters) {}

  // Takes the content of a packet; returns false if it is of another kind.
  bool add(const Field& data, std::optional<Time> time, uint64_t offset);

 private:
  // Each returns false if the message is damaged.
  bool add_task_state(std::string_view message, Time time, uint64_t offset);
  bool add_frequency(const Field& data, Time time, uint64_t offset);
  bool add_thread(std::string_view message, uint32_t name, uint32_t process);
  bool add_process_tree(std::string_view message);

  trace::EventSink& sink_;
  ftrace::Kernel& kernel_;
  CounterLanes& counters_;
  std::map<uint32_t, int32_t> running_;  // the task, by CPU; 0: none
};

}  // namespace weft::formats::perfetto
