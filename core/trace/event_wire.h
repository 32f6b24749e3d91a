// Serialises the calls of an EventSink, to pass what a reader delivers to another process of the
// same program. Not a file format: both ends are the same build on the same machine.
//
// A message is {u32 kind, u32 bytes}, then that many bytes. The writer numbers lanes, types and
// parameters in order of first mention; the player maps these to its sink's ids. The player trusts
// nothing: whatever a writer would not write is an error.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/large_vector.h"
#include "core/base/result.h"
#include "core/base/reuse.h"
#include "core/base/text_numbers.h"
#include "core/trace/event_sink.h"

namespace weft::trace {

enum class WireKind : uint32_t {
  kTimeBase,
  kMetadata,
  kAddLane,
  kUpdateLane,
  kType,
  kTypeColor,
  kParams,
  kStates,
  kPunctuals,
  kLinks,
  kVariables,
  kLoss,
  kRecordedUntil,
  kProgress,
  kTouched,
  kEnd,
  kCount
};

// Writes to a pipe, whose descriptor it does not own. keep_going() turns false once the other end
// is closed; SIGPIPE must be ignored.
class WireWriter final : public EventSink {
 public:
  explicit WireWriter(int fd) : fd_(fd) {}

  void set_time_base(TimeBase base) override;
  void set_metadata(std::string_view key, std::string_view value) override;
  LaneId add_lane(const Lane& lane) override;
  void update_lane(LaneId id, const Lane& lane) override;
  EventTypeId type(Category category, std::string_view name, std::string_view group) override;
  void set_type_color(EventTypeId id, uint32_t rgb) override;
  ParamsId keep_params(std::string_view json, std::span<const std::byte> payload) override;
  void states(std::span<const StateEvent> events) override;
  void punctuals(std::span<const PunctualEvent> events) override;
  void links(std::span<const LinkEvent> events) override;
  void variables(std::span<const VariableSample> events) override;
  void loss(std::string_view kind, const LossPlace& place, uint64_t count, bool is_damage) override;
  void set_end(Time end) override;
  void progress(uint64_t bytes_done, uint64_t bytes_total) override;
  bool keep_going() const override { return !is_broken_; }

  // Tells which parts of the input are read next, any of which may end this process. It goes at
  // once, ahead of what waits to be sent.
  void touch(std::span<const std::string> names);
  // Writes the last message: the outcome of reading.
  void end(const Status& status);

 private:
  // Recently given parameters, which most new ones repeat.
  struct Recent {
    std::string text;  // JSON, a zero byte, payload
    ParamsId id = ParamsId::none();
  };
  static constexpr size_t kRecent = 1 << 12;

  class Message;
  // Events that wait to be sent in one message.
  template <class Event>
  struct Waiting {
    WireKind kind;
    std::vector<Event> events = {};
    void add(WireWriter& writer, std::span<const Event> given);
    void send(WireWriter& writer);
  };
  void send_waiting();
  void flush();

  int fd_;
  bool is_broken_ = false;
  Waiting<StateEvent> states_{WireKind::kStates};
  Waiting<PunctualEvent> punctuals_{WireKind::kPunctuals};
  Waiting<LinkEvent> links_{WireKind::kLinks};
  Waiting<VariableSample> variables_{WireKind::kVariables};
  std::string buffer_;
  std::chrono::steady_clock::time_point flushed_;
  uint32_t lanes_ = 0;
  uint64_t params_ = 0;
  TextNumbers type_numbers_;  // keyed by category, group and name
  std::vector<Recent> recent_ = std::vector<Recent>(kRecent);
  Reuse reuse_;
  std::string text_;  // the key of a look-up, kept for its memory
};

// Replays into a sink what a WireWriter wrote.
class WirePlayer {
 public:
  explicit WirePlayer(EventSink& sink) : sink_(sink) {}

  // Takes bytes as they arrive, split anywhere. Fails if no WireWriter can have written them.
  Status take(std::span<const std::byte> bytes);

  // The outcome of reading; nullopt before the last message.
  const std::optional<Status>& ended() const { return ended_; }
  bool has_events() const { return has_events_; }
  // Whether the sink was given anything at all.
  bool has_given() const { return has_given_; }
  // The parts of the input that were touched last.
  const std::vector<std::string>& touched() const { return touched_; }
  uint64_t bytes_done() const { return bytes_done_; }  // of the input, as last reported

 private:
  class Fields;
  Status play(WireKind kind, std::span<const std::byte> body);
  Status play_new_lane(Fields& fields);
  Status play_changed_lane(Fields& fields);
  Status play_type(Fields& fields);
  Status play_loss(Fields& fields);
  Status play_touched(Fields& fields);
  template <class Event>
  Status play_events(std::span<const std::byte> body, std::vector<Event>& events, Category category,
                     void (EventSink::*give)(std::span<const Event>));
  bool map(LaneId& id) const;  // none() stays none(); false: unknown id
  bool map(ParamsId& id) const;
  bool map(EventTypeId& id, Category category) const;

  EventSink& sink_;
  std::vector<std::byte> waiting_;  // an incomplete message
  std::vector<LaneId> lanes_;
  struct Type {
    EventTypeId id;
    Category category;
  };
  LargeVector<Type> types_;
  LargeVector<ParamsId> params_;
  std::vector<StateEvent> states_;
  std::vector<PunctualEvent> punctuals_;
  std::vector<LinkEvent> links_;
  std::vector<VariableSample> variables_;
  std::optional<Status> ended_;
  bool has_events_ = false, has_given_ = false;
  std::vector<std::string> touched_;
  uint64_t bytes_done_ = 0;
};

}  // namespace weft::trace
