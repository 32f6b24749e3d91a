// Creations of messages and what processed them: by the PE that created them and their number
// there. A creation may be processed more than once: on many PEs, or by entry methods that the
// first one calls. Logs are read one behind the other, so either end may come first; when too many
// wait, all are given with one end.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "core/trace/event_sink.h"

namespace weft::formats::projections {

struct MessageKey {
  int64_t pe = 0, event = 0;
  bool operator==(const MessageKey&) const = default;
};

struct MessageEnd {
  LaneId lane;
  Time time;
  int64_t entry = 0;
};

class Messages {
 public:
  Messages(trace::EventSink& sink, size_t memory_bytes)
      : sink_(sink), most_waiting_(memory_bytes / kBytesEach) {}

  // `receivers`: how many PEs process it; 0 where that is not known.
  void create(MessageKey key, const MessageEnd& end, EventTypeId type, ParamsId params,
              uint64_t receivers);
  void process(MessageKey key, const MessageEnd& end);
  // A creation that nobody processed is a link without an end. What processed a message whose
  // creation is not there is counted: it says itself where the message came from.
  void finish();

 private:
  static constexpr size_t kBytesEach = 160;
  struct Creation {
    MessageEnd end;
    EventTypeId type;
    ParamsId params;
    uint64_t left;  // receivers; 0: not known
    bool was_met = false;
    bool is_done() const { return was_met && left == 0; }
  };
  struct Hash {
    size_t operator()(const MessageKey& key) const {
      constexpr uint64_t kOdd = 0x9E3779B97F4A7C15;
      const uint64_t bits = static_cast<uint64_t>(key.pe) * kOdd + static_cast<uint64_t>(key.event);
      return static_cast<size_t>(bits * kOdd ^ bits >> 29);
    }
  };
  static bool are_one(const MessageKey& key, int64_t created, int64_t processed);
  void give(const Creation& creation, const MessageEnd* receive);
  void keep_bounded();

  trace::EventSink& sink_;
  size_t most_waiting_;
  std::unordered_map<MessageKey, Creation, Hash> creations_;
  std::unordered_map<MessageKey, std::vector<MessageEnd>, Hash> early_;  // not created yet
  size_t early_count_ = 0;
};

}  // namespace weft::formats::projections
