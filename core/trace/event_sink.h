// Where readers put what they read. A reader streams a trace into a sink and keeps nothing itself.
//
// Called from one thread. Events may come in any order: the sink sorts, nests and packs them.
// A lane or type must be added before an event names it; lanes may be renamed later (formats give
// names at the end). Nothing here fails: what cannot be kept is counted as a loss, and a sink that
// can go no further (disk full, cancelled) says so by `keep_going()`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "core/base/strong_id.h"
#include "core/base/time.h"
#include "core/trace/model.h"

namespace weft::trace {

struct StateEvent {
  Time begin;
  Duration duration;  // >= 0
  ParamsId params = ParamsId::none();
  LaneId lane;
  EventTypeId type;
  // Orders states that have the same begin and end: the lower is the outer one. Readers that know
  // the nesting (begin/end pairs) give the depth of their stack; others leave 0, and then the one
  // given first is the outer one.
  uint32_t nesting = 0;
};

struct PunctualEvent {
  Time time;
  ParamsId params = ParamsId::none();
  LaneId lane;
  EventTypeId type;
};

struct LinkEvent {
  Time send;     // meaningless where source is none
  Time receive;  // meaningless where target is none
  ParamsId params = ParamsId::none();
  LaneId source = LaneId::none();
  LaneId target = LaneId::none();  // not both may be none
  EventTypeId type;
};

struct VariableSample {
  Time time;
  double value;
  ParamsId params = ParamsId::none();
  LaneId lane;
  EventTypeId type;  // the variable's name
};

class HeldEvents;

class EventSink {
 public:
  virtual ~EventSink() = default;

  virtual void set_time_base(TimeBase base) = 0;  // before the first event; default nanoseconds
  virtual void set_metadata(std::string_view key, std::string_view value) = 0;

  virtual LaneId add_lane(const Lane& lane) = 0;
  virtual void update_lane(LaneId id, const Lane& lane) = 0;

  // The one type of this name, group and category; made at its first mention.
  virtual EventTypeId type(Category category, std::string_view name,
                           std::string_view group = {}) = 0;
  virtual void set_type_color(EventTypeId id, uint32_t rgb) = 0;

  // An event's parameters as the text of one JSON object ("{}" excluded), and its raw payload.
  // Stored once per distinct value; none where both are empty.
  ParamsId params(std::string_view json, std::span<const std::byte> payload = {}) {
    return json.empty() && payload.empty() ? ParamsId::none() : keep_params(json, payload);
  }

  virtual void states(std::span<const StateEvent> events) = 0;
  virtual void punctuals(std::span<const PunctualEvent> events) = 0;
  virtual void links(std::span<const LinkEvent> events) = 0;
  virtual void variables(std::span<const VariableSample> events) = 0;

  // Counts something that could not be kept; see Loss. The place is an offset in the input, and the
  // lane and the time where they are known: {offset, lane, time}.
  virtual void loss(std::string_view kind, const LossPlace& place, uint64_t count = 1,
                    bool is_damage = true) = 0;

  // That the recording went on until then, with events or without: what holds at its last event
  // holds as long. Where nobody says so it ends with the last event.
  virtual void set_end(Time end) = 0;

  // How far the reader is, in bytes of the file on disk (compressed, where it is).
  virtual void progress(uint64_t bytes_done, uint64_t bytes_total) = 0;
  // False when the reader should stop; what was given so far is kept.
  virtual bool keep_going() const = 0;

  // Of HeldEvents. A sink that is looked at while its input pauses asks them for what they hold.
  virtual void add_held(HeldEvents&) {}
  virtual void drop_held(HeldEvents&) {}

 private:
  virtual ParamsId keep_params(std::string_view json, std::span<const std::byte> payload) = 0;
};

// Events that a part of a reader holds back for a while, to put them in order. Where the input
// pauses, what is held would not be seen until it goes on: then the sink asks for it.
class HeldEvents {
 public:
  // The sink outlives it.
  explicit HeldEvents(EventSink& sink) : sink_(sink) { sink_.add_held(*this); }
  HeldEvents(const HeldEvents&) = delete;
  HeldEvents& operator=(const HeldEvents&) = delete;
  // Gives all to the sink. Called by the reader's thread, while it reads from its source.
  virtual void give_held() = 0;

 protected:
  ~HeldEvents() { sink_.drop_held(*this); }

 private:
  EventSink& sink_;
};

}  // namespace weft::trace
