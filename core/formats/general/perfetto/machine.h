// The state of one machine: its clocks, processes, tracks and CPUs, whose numbers are its own. The
// machine on which the trace was recorded has its lanes at the root.
#pragma once

#include <cstdint>

#include "core/formats/general/perfetto/clocks.h"
#include "core/formats/general/perfetto/counter_lanes.h"
#include "core/formats/general/perfetto/described_packets.h"
#include "core/formats/general/perfetto/ftrace_bundles.h"
#include "core/formats/general/perfetto/gpu_links.h"
#include "core/formats/general/perfetto/gpu_packets.h"
#include "core/formats/general/perfetto/gpu_stages.h"
#include "core/formats/general/perfetto/heap_profiles.h"
#include "core/formats/general/perfetto/kernel_packets.h"
#include "core/formats/general/perfetto/memory_graphs.h"
#include "core/formats/general/perfetto/power_packets.h"
#include "core/formats/general/perfetto/proto_log.h"
#include "core/formats/general/perfetto/samples.h"
#include "core/formats/general/perfetto/shell_transitions.h"
#include "core/formats/general/perfetto/system_packets.h"
#include "core/formats/general/perfetto/time_told.h"
#include "core/formats/general/perfetto/timeline.h"
#include "core/formats/general/perfetto/track_events.h"
#include "core/formats/general/perfetto/tracks.h"
#include "core/formats/general/perfetto/translations.h"
#include "core/formats/general/perfetto/user_packets.h"
#include "core/formats/general/perfetto/users.h"
#include "core/formats/general/perfetto/windows_packets.h"
#include "core/formats/kernel/ftrace/kernel.h"

namespace weft::formats::perfetto {

struct Machine {
  // `root`: the machine's lane; `number`: as packets have it, 0 for the one that records.
  Machine(trace::EventSink& sink, uint64_t memory_bytes, LaneId root, uint32_t number,
          const ArgumentNames& argument_names, const Translations& translations)
      : told(sink),
        kernel(told, root, ftrace::Lanes::OnTasks::kMarks),
        tracks(told, kernel.lanes(), translations),
        timeline(told, memory_bytes / 4),
        gpu_links(told, memory_bytes / 16),
        track_events(told, kernel.lanes(), tracks, clocks, timeline, gpu_links, argument_names,
                     translations),
        ftrace(told, kernel, clocks, memory_bytes / 2),
        counters(told, kernel.lanes()),
        system(told, kernel, clocks, timeline, counters, number),
        described(told, kernel.lanes(), counters, number),
        gpus(told, kernel.lanes(), counters),
        gpu_stages(told, kernel.lanes(), counters, gpu_links),
        power(told, clocks, counters, users),
        programs(told, kernel.lanes(), clocks, timeline, counters, users),
        other_kernels(told, kernel, counters),
        windows(told, kernel, timeline, counters),
        proto_log(told, kernel.lanes(), counters, memory_bytes / 8),
        transitions(told, kernel.lanes(), clocks),
        heaps(told, kernel.lanes(), clocks, counters, memory_bytes / 4),
        samples(told, kernel.lanes(), clocks, counters, heaps.symbols(), memory_bytes / 8),
        memory(told, kernel.lanes(), counters, heaps.symbols()) {}
  Machine(const Machine&) = delete;
  Machine& operator=(const Machine&) = delete;

  void finish() {
    ftrace.finish();
    kernel.finish();
    proto_log.finish();
    timeline.finish();
    gpus.finish();
    gpu_links.finish();
    samples.finish();
    heaps.finish();
    memory.finish();
    transitions.finish();
    tracks.finish();
    system.finish();
  }

  TimeTold told;
  Clocks clocks;
  ftrace::Kernel kernel;
  Tracks tracks;
  Timeline timeline;
  GpuLinks gpu_links;
  TrackEvents track_events;
  FtraceBundles ftrace;
  CounterLanes counters;
  SystemPackets system;
  DescribedPackets described;
  GpuPackets gpus;
  GpuStages gpu_stages;
  Users users;
  PowerPackets power;
  UserPackets programs;
  KernelPackets other_kernels;
  WindowsPackets windows;
  ProtoLog proto_log;
  ShellTransitions transitions;
  HeapProfiles heaps;
  Samples samples;
  MemoryGraphs memory;
};

}  // namespace weft::formats::perfetto
