// Packets that tell of GPUs: counters, memory.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include "core/formats/general/perfetto/counter_lanes.h"
#include "core/formats/general/perfetto/fields.h"
#include "core/formats/general/perfetto/sequence.h"
#include "core/formats/kernel/ftrace/ftrace_lanes.h"
#include "core/trace/event_sink.h"

namespace weft::formats::perfetto {

class GpuPackets {
 public:
  GpuPackets(trace::EventSink& sink, ftrace::Lanes& lanes, CounterLanes& counters)
      : sink_(sink), lanes_(lanes), counters_(counters) {}

  // Takes the content of a packet; returns false if it is of another kind, or tells of Vulkan's
  // memory, which is an event by itself, too.
  bool add(const Field& data, const Sequence& sequence, std::optional<Time> time, uint64_t offset);
  void finish();

 private:
  struct GpuCounter {
    std::string name;          // with its unit
    bool is_forward = false;   // values are those of the time behind them
    std::optional<Time> last;  // when it was read
  };

  // Each returns false if the message is damaged.
  bool add_gpu_counters(std::string_view message, const Sequence& sequence, Time time,
                        uint64_t offset);
  using CounterId = std::tuple<int32_t, uint32_t, uint32_t>;  // GPU, number, the writer's sequence
  bool describe_counter(std::string_view spec, int32_t gpu, uint32_t sequence);
  int32_t gpu_of(uint32_t counter) const;
  GpuCounter* find_counter(const CounterId& id);
  void add_gpu_value(const CounterId& id, double value, Time time, uint64_t offset);
  bool add_gpu_memory(std::string_view message, Time time);
  bool add_vulkan_memory(std::string_view message, Time time);

  trace::EventSink& sink_;
  ftrace::Lanes& lanes_;
  CounterLanes& counters_;
  std::map<CounterId, GpuCounter> gpu_counters_;
  std::map<uint32_t, int32_t> gpu_of_counter_;  // the first that is described to have it
  // What is allocated, by process and name.
  std::map<std::pair<int32_t, std::string>, double> vulkan_bytes_;
};

}  // namespace weft::formats::perfetto
