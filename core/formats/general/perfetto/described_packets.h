// Packets of which each is an event by itself, and those that describe the machine or what was
// recorded: nothing is made of them but an event with its fields, or metadata, under the names that
// `message_names.h` has. Which they are is a table in the .cpp.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "core/formats/general/perfetto/counter_lanes.h"
#include "core/formats/general/perfetto/fields.h"
#include "core/formats/general/perfetto/message_names.h"
#include "core/formats/general/perfetto/sequence.h"
#include "core/trace/event_sink.h"

namespace weft::formats::perfetto {

class DescribedPackets {
 public:
  // `machine`: its number; 0: the one that records.
  DescribedPackets(trace::EventSink& sink, ftrace::Lanes& lanes, CounterLanes& counters,
                   uint32_t machine)
      : sink_(sink), lanes_(lanes), counters_(counters), machine_(machine) {}

  // Takes the content of a packet; returns false if it is of another kind.
  bool add(const Field& data, const Sequence& sequence, std::optional<Time> time, uint64_t offset);

 private:
  struct Kind;
  static const Kind* find_kind(uint32_t packet);
  // Each returns false if the message is damaged.
  bool add_events(const Kind& kind, std::string_view message, const Sequence& sequence, Time time,
                  uint64_t offset);
  bool add_event(const Kind& kind, std::string_view event, const MessageNames& names,
                 std::string_view name, const Sequence& sequence, Time time, uint64_t offset);
  bool add_variable(const Kind& kind, std::string_view property, Time time);
  bool add_metadata(const Kind& kind, std::string_view message);
  bool add_pairs(const Kind& kind, std::string_view message, uint64_t offset);
  void say(std::string_view key, std::string_view value);

  trace::EventSink& sink_;
  ftrace::Lanes& lanes_;
  CounterLanes& counters_;
  const uint32_t machine_;
};

}  // namespace weft::formats::perfetto
