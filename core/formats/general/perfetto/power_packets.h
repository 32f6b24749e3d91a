// Packets that tell of power: batteries, rails, consumers of energy, states of parts of the device,
// wake locks. All of them are variables.
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
#include "core/formats/general/perfetto/users.h"
#include "core/trace/event_sink.h"

namespace weft::formats::perfetto {

class PowerPackets {
 public:
  PowerPackets(trace::EventSink& sink, Clocks& clocks, CounterLanes& counters, const Users& users)
      : sink_(sink), clocks_(clocks), counters_(counters), users_(users) {}

  // Takes the content of a packet; returns false if it is of another kind.
  bool add(const Field& data, const Sequence& sequence, std::optional<Time> time, uint64_t offset);

 private:
  using Names = std::map<uint64_t, std::string>;
  struct RailSession {
    std::string group;
    Names rails;
  };
  struct WakeLock {
    std::string name;
    std::string_view group = "Wake locks";
    uint64_t held_ms = 0;
  };
  RailSession& rail_session(uint64_t uuid);
  WakeLock* wake_lock(uint64_t id);
  // Each returns false if the message is damaged. They give their samples to `sample`.
  bool add_battery(std::string_view message);
  bool add_rails(std::string_view message);
  bool add_energy(std::string_view message);
  bool add_residency(std::string_view message);
  bool add_wake_locks(std::string_view message);
  bool name_wake_lock(std::string_view message);
  // `number` and `text`: the fields of an entry that names something.
  static bool name_one(std::string_view entry, uint32_t number, uint32_t text, Names& names);
  void sample(std::string_view group, std::string_view name, double value) {
    sample(group, name, value, time_);
  }
  void sample(std::string_view group, std::string_view name, double value,
              std::optional<Time> time);

  trace::EventSink& sink_;
  Clocks& clocks_;
  CounterLanes& counters_;
  const Users& users_;
  Names consumers_;
  std::map<std::pair<uint32_t, uint64_t>, WakeLock> wake_locks_;  // by sequence and number
  std::map<uint64_t, RailSession> rail_sessions_;                 // by uuid
  std::map<std::pair<uint64_t, uint64_t>, std::string> states_;   // by entity and state
  Names entities_;
  // Of the packet being read.
  uint32_t sequence_ = 0;
  std::optional<Time> time_;
  uint64_t offset_ = 0;
};

}  // namespace weft::formats::perfetto
