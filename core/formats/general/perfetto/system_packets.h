// Packets that tell of the whole system: processes and their threads, statistics as variables, logs
// as punctual events, frames of Android's timeline as states; what the recorder says of itself.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/formats/general/perfetto/clocks.h"
#include "core/formats/general/perfetto/counter_lanes.h"
#include "core/formats/general/perfetto/fields.h"
#include "core/formats/general/perfetto/time_told.h"
#include "core/formats/general/perfetto/timeline.h"
#include "core/formats/kernel/ftrace/kernel.h"
#include "core/trace/event_sink.h"

namespace weft::formats::perfetto {

constexpr int32_t kBehindProcesses = 1 << 30;

// The lane of another machine than the one that records, below all of that one's.
inline trace::Lane lane_of_machine(std::string name) {
  return {
      .name = std::move(name), .kind = trace::LaneKind::kMachine, .sort_index = kBehindProcesses};
}

// The metadata key of a machine; `number` is 0 for the recording one.
inline std::string key_of_machine(std::string_view key, uint32_t number) {
  return number == 0 ? std::string(key)
                     : std::string(key) + " of machine " + std::to_string(number);
}

class SystemPackets {
 public:
  SystemPackets(TimeTold& sink, ftrace::Kernel& kernel, Clocks& clocks, Timeline& timeline,
                CounterLanes& counters, uint32_t machine)
      : sink_(sink),
        told_(sink),
        kernel_(kernel),
        lanes_(kernel.lanes()),
        clocks_(clocks),
        timeline_(timeline),
        counters_(counters),
        machine_(machine) {}

  // Takes the content of a packet; returns false if it is of another kind.
  bool add(const Field& data, std::optional<Time> time, uint64_t offset);
  // Call last: counts what the recorder reported as lost, and gives the recorder's own events.
  void finish();

 private:
  struct Now {
    Time time;
    uint64_t offset;
  };
  // Each returns false if the message is damaged.
  bool add_process_tree(std::string_view message);
  bool add_process_stats(std::string_view message, const Now& now);
  bool add_system_stats(std::string_view message, const Now& now);
  bool add_cpu_times(std::string_view message, const Now& now);
  bool add_disk(std::string_view message, const Now& now);
  bool add_temperature(std::string_view message, const Now& now);
  bool add_free_pages(std::string_view message, const Now& now);
  bool add_idle_times(std::string_view message, const Now& now);
  bool add_slab(std::string_view message, const Now& now);
  bool add_system_info(std::string_view message);
  bool add_uuid(std::string_view message);
  bool add_log(std::string_view message, const Now& now);
  bool add_log_event(std::string_view message, const Now& now);
  bool add_frame(std::string_view message, const Now& now);
  bool add_trace_stats(std::string_view message);
  bool add_ftrace_stats(std::string_view message, const Now& now);
  bool add_service_event(std::string_view message, const Now& now);
  void tell_recorder();

  LaneId group(std::string_view name) { return counters_.group(name); }
  void sample(LaneId parent, std::string_view name, double value, const Now& now) {
    counters_.sample(parent, name, value, now.time);
  }

  trace::EventSink& sink_;
  const TimeTold& told_;  // by all
  ftrace::Kernel& kernel_;
  ftrace::Lanes& lanes_;
  Clocks& clocks_;
  Timeline& timeline_;
  CounterLanes& counters_;
  const uint32_t machine_;                                   // its number; 0: the one that records
  std::vector<std::pair<Time, std::string_view>> recorded_;  // what the recorder did
  std::map<std::string_view, uint64_t> lost_;                // what the recorder said last, by kind
  std::map<std::string, std::string> zones_;  // the first of a type, whose temperature is told
  std::map<uint32_t, uint64_t> overwritten_;  // of the kernel's buffers as the trace began, by CPU
};

}  // namespace weft::formats::perfetto
