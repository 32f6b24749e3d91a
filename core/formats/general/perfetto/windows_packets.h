// Packets of Windows' kernel (ETW, as Chrome records it): switches of threads and who readied them,
// pages of memory, operations on files from the request to its end, disks.
#pragma once

#include <cstdint>
#include <string_view>

#include "core/formats/general/perfetto/counter_lanes.h"
#include "core/formats/general/perfetto/fields.h"
#include "core/formats/general/perfetto/timeline.h"
#include "core/formats/kernel/ftrace/kernel.h"
#include "core/trace/event_sink.h"

namespace weft::formats::perfetto {

class WindowsPackets {
 public:
  WindowsPackets(trace::EventSink& sink, ftrace::Kernel& kernel, Timeline& timeline,
                 CounterLanes& counters)
      : sink_(sink), kernel_(kernel), timeline_(timeline), counters_(counters) {}

  // Takes the content of a packet; returns false if it is of another kind.
  bool add(const Field& data, uint64_t offset);

 private:
  struct Event {
    ftrace::At at;
    int32_t thread = -1;  // that caused it
    Field data;           // what it is
  };
  // Each returns false if the message is damaged.
  bool add_event(std::string_view message, uint32_t cpu, uint64_t offset);
  bool add_switch(const Event& event);
  bool add_ready(const Event& event);
  bool add_memory(const Event& event);
  bool add_file_operation(Event event);
  LaneId lane_of(const Event& event);

  trace::EventSink& sink_;
  ftrace::Kernel& kernel_;
  Timeline& timeline_;
  CounterLanes& counters_;
};

}  // namespace weft::formats::perfetto
