// Packets that tell what Android's programs do, by the users that they run as: how much CPU they
// had, which wake locks they held, the packets that they sent and received, statistics ("atoms") of
// theirs and the system's.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "core/formats/general/perfetto/clocks.h"
#include "core/formats/general/perfetto/counter_lanes.h"
#include "core/formats/general/perfetto/fields.h"
#include "core/formats/general/perfetto/sequence.h"
#include "core/formats/general/perfetto/timeline.h"
#include "core/formats/general/perfetto/users.h"
#include "core/trace/event_sink.h"

namespace weft::formats::perfetto {

class UserPackets {
 public:
  UserPackets(trace::EventSink& sink, ftrace::Lanes& lanes, Clocks& clocks, Timeline& timeline,
              CounterLanes& counters, Users& users)
      : sink_(sink),
        lanes_(lanes),
        clocks_(clocks),
        timeline_(timeline),
        counters_(counters),
        users_(users) {}

  // Takes the content of a packet; returns false if it is of another kind.
  bool add(const Field& data, const Sequence& sequence, std::optional<Time> time, uint64_t offset);

 private:
  // Each returns false if the message is damaged.
  bool add_programs(std::string_view message);
  bool add_cpu_times(std::string_view message, const Sequence& sequence, Time time);
  bool add_wake_locks(std::string_view message, const Sequence& sequence, Time time,
                      uint64_t offset);
  bool add_wake_lock(std::string_view info, bool is_begin, Time time, uint64_t offset);
  bool add_network_packets(std::string_view message, const Sequence& sequence, Time time);
  bool add_atoms(std::string_view message, Time time);

  trace::EventSink& sink_;
  ftrace::Lanes& lanes_;
  Clocks& clocks_;
  Timeline& timeline_;
  CounterLanes& counters_;
  Users& users_;
  struct CpuTimes {  // as one writer counts them
    uint64_t clusters = 1;
    std::map<std::pair<uint64_t, uint64_t>, uint64_t> ms;  // by user and cluster
  };
  std::map<uint32_t, CpuTimes> cpu_times_;  // by sequence
};

}  // namespace weft::formats::perfetto
