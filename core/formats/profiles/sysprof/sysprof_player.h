// Shows the frames of a capture of sysprof, in order of time.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/formats/kernel/perf/perf_threads.h"
#include "core/formats/profiles/sysprof/sysprof_frames.h"
#include "core/formats/profiles/sysprof/sysprof_names.h"
#include "core/formats/stacks/open_states.h"

namespace weft::formats::sysprof {

class Player {
 public:
  Player(trace::EventSink& sink, const Names& names, bool is_big_endian, uint64_t memory_bytes)
      : sink_(sink),
        names_(names),
        is_big_endian_(is_big_endian),
        most_allocations_(memory_bytes / kBytesPerAllocation),
        lanes_(sink),
        threads_(sink, lanes_),
        calls_(sink) {}

  void add(const Frame& frame);
  void finish();

 private:
  static constexpr uint64_t kBytesPerAllocation = 64;
  struct Counter {
    LaneId lane;
    EventTypeId type;
    bool is_real;
  };
  // Marks of a group that do not lie within each other are on further lanes.
  struct MarkLane {
    LaneId lane;
    std::vector<Time> ends;  // of the marks that last, the innermost last
  };
  struct Heap {
    std::unordered_map<uint64_t, int64_t> sizes;  // by address
    int64_t bytes = 0;
    EventTypeId type;
    LaneId lane;
  };

  void add_sample(const Frame& frame);
  void add_call(const Frame& frame);
  void define_counters(const Frame& frame);
  void add_values(const Frame& frame);
  void add_mark(const Frame& frame);
  void add_metadata(const Frame& frame);
  void add_log(const Frame& frame);
  void add_allocation(const Frame& frame);
  void add_dbus_message(const Frame& frame);
  void note(const Frame& frame, std::string_view what);

  Body body_of(const Frame& frame) const { return {frame.body, is_big_endian_}; }
  void lose(const Frame& frame) { sink_.loss("frame that is cut", frame.offset); }
  LaneId process(const Frame& frame);
  perf::Thread& thread(const Frame& frame, int32_t thread);
  // Frames from outermost to innermost.
  std::vector<EventTypeId> take_stack(const Frame& frame, Body& body, size_t count);
  LaneId mark_lane(const Frame& frame, std::string_view group, Time end);
  void give(const Frame& frame, LaneId lane, std::string_view group, std::string_view type,
            std::string_view params);

  trace::EventSink& sink_;
  const Names& names_;
  const bool is_big_endian_;
  const size_t most_allocations_;
  size_t allocations_ = 0;
  ftrace::Lanes lanes_;
  perf::Threads threads_;
  stacks::OpenStates calls_;
  std::unordered_map<uint32_t, Counter> counters_;
  std::map<std::string, LaneId, std::less<>> counter_lanes_;
  std::map<std::pair<int32_t, std::string>, std::vector<MarkLane>> marks_;
  std::unordered_map<int32_t, Heap> heaps_;
  LaneId dbus_lane_ = LaneId::none();
  Time last_{};
};

}  // namespace weft::formats::sysprof
