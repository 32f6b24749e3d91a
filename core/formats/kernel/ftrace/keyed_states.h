// States that one tracepoint begins and another ends, often on another task or CPU: a request to a
// device and its completion. Fields that both have tell which belong together (keyed_pairs.h).
// Those that nest on their task or CPU and need no fields are PairedEvents.
//
// Call in order of time. Memory: what is open is kept, up to a number of states.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "core/formats/base/json_document.h"
#include "core/formats/kernel/ftrace/ftrace_lanes.h"
#include "core/formats/kernel/ftrace/keyed_pairs.h"
#include "core/formats/kernel/ftrace/scheduler.h"
#include "core/trace/event_sink.h"

namespace weft::formats::ftrace {

class KeyedStates {
 public:
  KeyedStates(trace::EventSink& sink, Lanes& lanes) : sink_(sink), lanes_(lanes) {}

  // Takes an event of a task's or a CPU's lane, with its fields as a JSON object. Returns false if
  // it is no such begin or end, or ends nothing: it is an event of its own then.
  bool play(LaneId lane, std::string_view event, std::string_view fields, const At& at);
  // Ends what is still open at the end of the trace.
  void finish(Time last);

 private:
  struct Open {
    const KeyedPair* pair = nullptr;
    LaneId lane = LaneId::none();
    EventTypeId type = EventTypeId::none();
    Time begin{};
    uint64_t offset = 0;
    std::string fields{};
  };
  // The begin's tracepoint; the values of the keys, or the task or CPU where there are none.
  using Key = std::pair<std::string_view, std::string>;
  enum class Part : uint8_t { kNeither, kBegin, kEnd };

  Part part_of(const KeyedPair& pair, std::string_view event) const;
  std::optional<Key> key_of(const KeyedPair& pair, LaneId parent) const;
  bool begin(const KeyedPair& pair, const Key& key, LaneId parent, std::string_view event,
             std::string_view fields, const At& at);
  bool end(const Key& key, std::string_view fields, const At& at);
  void give(const Open& open, Time end, std::string_view added = {});
  // Gives what no end of its own ended: the next begin did, or the trace.
  void give_last(const Open& open, Time end);
  // The event's field, as text; empty where it has none.
  std::string value(std::string_view field) const;
  std::string named_value(const KeyedPair& pair, std::string_view field) const;
  std::string filled(const KeyedPair& pair, std::string_view event, std::string_view text) const;

  trace::EventSink& sink_;
  Lanes& lanes_;
  std::map<Key, Open> open_;
  std::map<std::string_view, uint32_t> counts_;  // of keys that began, by the begin's tracepoint
  json::Document event_;                         // the fields of the one being played
};

}  // namespace weft::formats::ftrace
