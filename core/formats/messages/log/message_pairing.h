// Sends, receives and data of messages, put together by their uid into links.
//
// A message may be received before it is sent (clocks differ, buffers are written out of order) and
// its data may come anywhere near: a complete message is kept until kSettled others are complete. A
// message that lacks an end is given at the end of the trace, or, when too many wait, the oldest
// first; should its other end come after all, that one is a loss. Memory: O(messages under way),
// bounded by `max_bytes`.
#pragma once

#include <cstdint>
#include <functional>
#include <list>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/base/interval_set.h"
#include "core/trace/event_sink.h"

namespace weft::formats::messages {

// The type of messages of which no line says one.
inline constexpr std::string_view kPlainType = "message";

// The information of one line about a message.
struct MessageNote {
  uint64_t uid = 0;
  uint64_t offset = 0;  // of the line
  Time time{};
  LaneId sender = LaneId::none();
  LaneId receiver = LaneId::none();
  EventTypeId type = EventTypeId::none();
  std::string params{};              // members of a JSON object, joined by commas
  std::vector<std::byte> payload{};  // to be put behind what there is
  bool is_drop = false;              // which was given as an event, too

  // Keeps the memory.
  void clear() {
    params.clear();
    payload.clear();
    *this = {.params = std::move(params), .payload = std::move(payload)};
  }
};

class MessagePairing {
 public:
  // `name_of`: what a message says of the lane that it never reached, or that never sent it.
  MessagePairing(trace::EventSink& sink, uint64_t max_bytes,
                 std::function<std::string(LaneId)> name_of)
      : sink_(sink), max_bytes_(max_bytes), name_of_(std::move(name_of)) {}

  void send(const MessageNote& note);
  void receive(const MessageNote& note);
  // Something else about a message: its data, that it was dropped. Where lines name other lanes, a
  // send knows best who sent it, and a receive who received it.
  void add(const MessageNote& note);

  // Gives everything that still waits.
  void finish();

  bool is_under_way(uint64_t uid) const { return by_uid_.contains(uid); }
  // The type that a message under way was said to have; none() where that is not known.
  EventTypeId type_of(uint64_t uid) const;
  LaneId receiver_of(uint64_t uid) const;  // likewise

 private:
  struct Message {
    uint64_t uid = 0;
    uint64_t offset = 0;  // of its first line
    std::optional<Time> send{}, receive{};
    LaneId sender = LaneId::none();
    LaneId receiver = LaneId::none();
    EventTypeId type = EventTypeId::none();
    std::string params{};
    std::vector<std::byte> payload{};
    bool is_dropped = false;
  };
  using Messages = std::list<Message>;

  using End = std::optional<Time> Message::*;
  void set_end(const MessageNote& note, End end);
  Message& message_of(const MessageNote& note);
  void give_up(const Message& message);
  void merge(Message& message, const MessageNote& note);
  static uint64_t bytes_of(const Message& message);
  void write_params(const Message& message);
  void give(Messages& list, Messages::iterator message);
  void flush();

  static constexpr size_t kSettled = 4096;
  static constexpr size_t kLinksAtOnce = 1024;
  // Past so many, uids are so random that repeated ones are no longer looked for.
  static constexpr size_t kMaxIntervals = size_t{1} << 20;

  trace::EventSink& sink_;
  uint64_t max_bytes_;
  std::function<std::string(LaneId)> name_of_;
  Messages waiting_;   // for an end, in order of their first line
  Messages complete_;  // in order of completion
  Messages over_;      // kept for their memory
  using ByUid = std::unordered_map<uint64_t, Messages::iterator>;
  ByUid by_uid_;
  std::vector<ByUid::node_type> over_nodes_;
  std::string json_;
  IntervalSet used_;      // uids of messages that were given
  IntervalSet given_up_;  // of them, those that lacked an end
  EventTypeId plain_type_ = EventTypeId::none();
  std::vector<trace::LinkEvent> links_;
  uint64_t bytes_ = 0;  // of waiting_ and complete_
};

}  // namespace weft::formats::messages
