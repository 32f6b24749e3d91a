// One message event as JSON and XML write it, a record of named fields (Threadmill's listings 5.1
// and 5.2), and what it says in the words of a MessageLog.
//
//   MessageEvent{MessageId, Sender, Receiver, Priority, MessageData}
//
// Besides: MessageType; Time, or SendTime and ReceiveTime; Event ("send", "receive", "data",
// "done", "drop", or any other word). Every other field becomes a parameter. An event without Event
// is a whole message: it leaves at SendTime and arrives at ReceiveTime, or both at Time. Where the
// first events have no time, as many as are kept until one has, none has: their order counts as
// time.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/formats/messages/log/message_log.h"

namespace weft::formats::messages {

struct MessageEvent {
  // As named in the file. Views of the input, or of texts that are kept.
  std::vector<std::pair<std::string_view, std::string_view>> fields;
  std::string params;  // more members of a JSON object, ready made
  std::deque<std::string> kept;

  std::string_view keep(std::string text) { return kept.emplace_back(std::move(text)); }
  void clear() {
    fields.clear();
    params.clear();
    kept.clear();
  }
};

class MessageEventLog {
 public:
  MessageEventLog(trace::EventSink& sink, uint64_t max_bytes)
      : sink_(sink), log_(sink, max_bytes) {}

  void add(const MessageEvent& event, uint64_t offset);
  void set_metadata(std::string_view key, std::string_view value) { log_.set_metadata(key, value); }
  void finish();
  uint64_t events() const { return events_; }

 private:
  struct Times {
    std::string_view of_event{}, send{}, receive{};
  };

  // What a field of an event says.
  enum class Said : uint8_t { kTime, kSendTime, kReceiveTime, kKind, kField, kOther };
  struct Meaning {
    Said said = Said::kOther;
    Field field{};  // of the record, if it is one
  };
  struct Name {
    std::string text;
    Meaning meaning;
  };

  struct Held {
    MessageEvent event;
    uint64_t offset = 0;
  };

  static Meaning meaning_of(std::string_view name);
  Meaning known_meaning(std::string_view name);
  bool is_timed(const MessageEvent& event);
  void hold(const MessageEvent& event, uint64_t offset);
  void decide(bool has_times);
  void take(const MessageEvent& event, uint64_t offset);
  Times take_fields(const MessageEvent& event, std::string_view& kind);
  void add_whole(Times times, uint64_t offset);

  trace::EventSink& sink_;
  MessageLog log_;
  LogRecord record_;
  std::array<Name, 64> names_;  // that came lately, each in a place that its letters say
  std::string number_;          // of the event, where that is its time
  uint64_t events_ = 0;
  std::optional<bool> has_times_;  // not known before an event has one
  std::deque<Held> held_;          // until it is
  size_t held_bytes_ = 0;
};

}  // namespace weft::formats::messages
