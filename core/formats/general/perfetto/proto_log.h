// Android's ProtoLog: messages that say only which text they are and what to put in it. The texts
// come in packets of their own, often at the end: messages wait for theirs, within the memory.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/formats/general/perfetto/counter_lanes.h"
#include "core/formats/general/perfetto/fields.h"
#include "core/formats/general/perfetto/sequence.h"
#include "core/trace/event_sink.h"

namespace weft::formats::perfetto {

class ProtoLog {
 public:
  ProtoLog(trace::EventSink& sink, ftrace::Lanes& lanes, CounterLanes& counters,
           uint64_t memory_bytes)
      : sink_(sink), lanes_(lanes), counters_(counters), memory_bytes_(memory_bytes) {}

  // Takes the content of a packet; returns false if it is of another kind.
  bool add(const Field& data, const Sequence& sequence, std::optional<Time> time, uint64_t offset);
  // Gives messages whose text never came as they are.
  void finish();

 private:
  struct Text {
    std::string text, location;
    uint64_t level = 0;
    uint32_t group = 0;
  };
  struct Message {
    Time time;
    uint64_t offset = 0;
    uint64_t id = 0;  // of its text
    std::vector<std::string> texts;
    std::vector<int64_t> integers;
    std::vector<double> reals;
    std::vector<bool> flags;
    std::string stack;
  };
  // Each returns false if the message is damaged.
  bool add_texts(std::string_view config);
  bool add_text(std::string_view message);
  bool add_group(std::string_view message);
  bool add_message(std::string_view message, const Sequence& sequence, Time time, uint64_t offset);
  void give(const Message& message);
  static std::string filled(std::string_view text, const Message& message);

  trace::EventSink& sink_;
  ftrace::Lanes& lanes_;
  CounterLanes& counters_;
  const uint64_t memory_bytes_;
  uint64_t kept_bytes_ = 0;
  std::map<uint64_t, Text> texts_;
  std::map<uint32_t, std::string> groups_;
  std::vector<Message> waiting_;
};

}  // namespace weft::formats::perfetto
