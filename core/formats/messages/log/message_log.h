// Interprets the records of message logs, whether Btrace lines or message events in JSON and XML,
// and gives them to a sink. Readers only parse text; pairing, lane names, time bases and losses are
// handled here.
//
// Each message becomes a link from its sender's lane to its receiver's, by the instant of handling;
// its type is the field Type, its parameters are the other fields, and Data is its payload. The
// kinds of records are these:
//
//   MESSAGE_SEND, MESSAGE_RECEIVE, MESSAGE_DATA   Uid, and what is known of the message
//   MESSAGE_DONE  Uid, Receiver   the handling that began with the receive ended: a state
//   MESSAGE_DROP  Uid, Receiver   the message was thrown away: a punctual event, "message dropped"
//   any other word                a punctual event of that name, on the lane of Queue (or Sender)
//
// Times with a point are seconds and become nanoseconds. Queues are called by their numbers
// ("0x4F"), or "process/queue" where the log says so. Where a done or a drop names no receiver, it
// is the one that the message is known to have.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/base/large_vector.h"
#include "core/formats/base/by_name.h"
#include "core/formats/messages/log/message_pairing.h"
#include "core/trace/event_sink.h"

namespace weft::formats::messages {

inline constexpr std::string_view kSend = "MESSAGE_SEND";
inline constexpr std::string_view kReceive = "MESSAGE_RECEIVE";
inline constexpr std::string_view kData = "MESSAGE_DATA";
inline constexpr std::string_view kDone = "MESSAGE_DONE";
inline constexpr std::string_view kDrop = "MESSAGE_DROP";
// Is it one of these?
bool is_message(std::string_view kind);

// Fields that have a place of their own in the model.
enum class Field : uint8_t { kUid, kSender, kReceiver, kType, kData, kQueue };
inline constexpr size_t kFieldCount = 6;

// Returns nullopt if the name is another.
std::optional<Field> field_named(std::string_view name);

// Views, valid while the record is added.
struct LogRecord {
  std::string_view time;
  std::string_view kind;
  std::array<std::string_view, kFieldCount> placed{};  // null: not there
  std::vector<std::pair<std::string_view, std::string_view>> others;
  std::string_view params{};  // more members of a JSON object, ready made

  void clear_fields();
  // Adds a field; of duplicates the first counts.
  void add_field(std::string_view name, std::string_view value);
  void place(Field which, std::string_view value) {
    std::string_view& place = placed[static_cast<size_t>(which)];
    if (place.data() == nullptr) place = value;
  }
  // Returns nullopt if there is no such field.
  std::optional<std::string_view> field(Field which) const {
    const std::string_view value = placed[static_cast<size_t>(which)];
    return value.data() == nullptr ? std::nullopt : std::optional(value);
  }
};

class MessageLog {
 public:
  MessageLog(trace::EventSink& sink, uint64_t max_bytes);

  // `offset`: of the record in the input.
  void add(const LogRecord& record, uint64_t offset);
  // "time_base" is what a tick is, where it comes before the first record (default: ticks); all
  // is kept.
  void set_metadata(std::string_view key, std::string_view value);
  // The end of the log: what waits is given.
  void finish();

 private:
  struct Handling {
    uint64_t uid;
    Time begin;
    EventTypeId type;  // of the message, as far as its receive knew
  };
  struct End {  // of a handling
    uint64_t uid;
    LaneId lane;
    Time time;
    uint64_t offset;
  };
  using Handlings = std::pmr::vector<Handling>;

  void choose_time_base(bool is_in_seconds, uint64_t offset);
  void add_message(const LogRecord& record, Time time, uint64_t offset);
  void add_drop(const LogRecord& record, MessageNote& note);
  void begin_handling(LaneId lane, const Handling& handling);
  void end_handling(const End& end);
  bool close(const End& end);
  void lose(const End& end);
  LaneId receiver_of(const LogRecord& record, uint64_t uid);
  EventTypeId handled_type(EventTypeId message);
  void add_other(const LogRecord& record, Time time);
  void punctual(const LogRecord& record, Time time, LaneId lane, std::string_view name,
                std::optional<uint64_t> uid);
  LaneId lane_of(const LogRecord& record, Field field);
  LaneId lane_named(std::string_view text);
  EventTypeId message_type(std::string_view text);

  trace::EventSink& sink_;
  MessagePairing pairing_;
  TimeBase said_base_ = TimeBase::kTicks;
  bool has_time_base_ = false;
  bool is_in_seconds_ = false;
  ByName<LaneId> lanes_;         // by text, as written
  ByName<EventTypeId> types_;    // of messages, likewise
  ByName<LaneId> lane_by_name_;  // by process and canonical name
  ByName<LaneId> processes_;
  LargeVector<std::string_view> lane_names_;  // of queues, by lane
  LargePool memory_;
  LargeVector<Handlings> handlings_;                   // begun, the newest last; by lane
  std::deque<End> early_ends_;                         // whose begins may stand further down
  std::unordered_map<uint32_t, std::string> names_;    // of message types
  std::unordered_map<uint32_t, EventTypeId> handled_;  // states of handling, by message type
  std::string json_;                                   // kept for its memory
  MessageNote note_;                                   // likewise
};

}  // namespace weft::formats::messages
