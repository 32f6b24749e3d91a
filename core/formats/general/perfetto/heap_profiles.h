// Heap profiles → flame graphs. A dump says of each stack how much it has allocated and freed so
// far; a lane for each of these numbers shows what came to it since the dump before, beginning at
// the time of the dump, as states as long as the number: a nanosecond is a byte, or an object. What
// is not freed is shown of the last dump, and as a variable of every one.
//
// Names are looked up when the trace is over, since what names are given behind it counts for all.
//
// Memory: the dumps.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/formats/general/perfetto/call_stacks.h"
#include "core/formats/general/perfetto/clocks.h"
#include "core/formats/general/perfetto/counter_lanes.h"
#include "core/formats/general/perfetto/fields.h"
#include "core/formats/general/perfetto/sequence.h"
#include "core/formats/general/perfetto/stack_table.h"
#include "core/formats/general/perfetto/symbols.h"
#include "core/formats/stacks/stack_timeline.h"
#include "core/trace/event_sink.h"

namespace weft::formats::perfetto {

class HeapProfiles {
 public:
  HeapProfiles(trace::EventSink& sink, ftrace::Lanes& lanes, Clocks& clocks, CounterLanes& counters,
               uint64_t memory_bytes)
      : sink_(sink),
        lanes_(lanes),
        clocks_(clocks),
        counters_(counters),
        memory_bytes_(memory_bytes),
        symbols_(memory_bytes / 4),
        stacks_(sink, symbols_, "heap"),
        timeline_(sink) {}

  // Takes the content of a packet; returns false if it is of another kind.
  bool add(const Field& data, Sequence& sequence, std::optional<Time> time, uint64_t offset);
  void finish();
  const Symbols& symbols() const { return symbols_; }

 private:
  enum Value : uint8_t {
    kAllocatedBytes,
    kFreedBytes,
    kAllocations,
    kFrees,
    kMostBytes,  // at the moment when most was allocated; then the others are not said
    kMostObjects,
    kValues
  };
  using Values = std::array<int64_t, kValues>;
  struct Sample {
    uint64_t stack = 0;  // interned; in a Dump of dumps_, a number of stacks_
    Values values{};
  };
  struct Heap {
    int32_t pid = 0;
    std::string name;
    auto operator<=>(const Heap&) const = default;
  };
  struct Dump {
    Heap heap;
    Time time;
    std::optional<Time> begin;  // of what it tells of
    std::vector<Sample> samples;
  };
  struct Writer {  // of a dump that may go on in the next packet
    std::vector<Dump> dumps;
    std::optional<uint64_t> index;  // of the last packet
  };

  bool add_packet(std::string_view message, Sequence& sequence, std::optional<Time> time,
                  uint64_t offset);
  bool add_process(std::string_view message, Sequence& sequence, std::optional<Time> time,
                   uint64_t offset);
  void count_problems(const Field& field, uint64_t offset);
  void finish_dumps(Sequence& sequence, uint64_t offset);
  void show(const Heap& heap, const std::vector<const Dump*>& dumps);
  // The samples' stacks one behind the other, as long as `width(sample)` each.
  template <class Width>
  void show_lane(LaneId lane, Time begin, const std::vector<Sample>& samples, const Width& width);

  trace::EventSink& sink_;
  ftrace::Lanes& lanes_;
  Clocks& clocks_;
  CounterLanes& counters_;
  const uint64_t memory_bytes_;
  uint64_t kept_bytes_ = 0;
  Symbols symbols_;
  StackTable stacks_;
  stacks::StackTimeline timeline_;
  std::map<uint32_t, Writer> writers_;  // by sequence
  std::vector<Dump> dumps_;
  std::map<LaneId, Time> ends_;  // of what is on the lanes
};

}  // namespace weft::formats::perfetto
