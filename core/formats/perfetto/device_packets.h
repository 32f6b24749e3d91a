// Packets that tell of devices: counters, memory and stages of GPUs, batteries, power rails.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "core/formats/ftrace/ftrace_lanes.h"
#include "core/formats/perfetto/clocks.h"
#include "core/formats/perfetto/counter_lanes.h"
#include "core/formats/perfetto/fields.h"
#include "core/formats/perfetto/sequence.h"
#include "core/trace/event_sink.h"

namespace weft::formats::perfetto {

class DevicePackets {
 public:
  DevicePackets(trace::EventSink& sink, ftrace::Lanes& lanes, Clocks& clocks,
                CounterLanes& counters)
      : sink_(sink), lanes_(lanes), clocks_(clocks), counters_(counters) {}

  // `data`: the contents of a packet. False where it is of another kind.
  bool add(const Field& data, const Sequence& sequence, std::optional<Time> time, uint64_t offset);

 private:
  // Each: false where it is damaged.
  bool add_gpu_counters(std::string_view message, Time time);
  bool add_gpu_memory(std::string_view message, Time time);
  bool add_gpu_stage(std::string_view message, const Sequence& sequence, Time time);
  bool add_specifications(std::string_view message);
  bool add_battery(std::string_view message, Time time);
  bool add_power_rails(std::string_view message, Time time);
  LaneId gpu(int32_t number);

  trace::EventSink& sink_;
  ftrace::Lanes& lanes_;
  Clocks& clocks_;
  CounterLanes& counters_;
  std::map<std::pair<int32_t, uint32_t>, std::string> gpu_counters_;  // names, by GPU and counter
  std::map<uint64_t, std::string> gpu_queues_, gpu_stages_;           // of the older form
  std::map<uint64_t, std::string> rails_;
};

}  // namespace weft::formats::perfetto
