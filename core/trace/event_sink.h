// The sink into which readers put events. A reader streams a trace into it and keeps nothing
// itself.
//
// Called from one thread. Events may come in any order: the sink sorts, nests and packs them. A
// lane or type must be added before an event refers to it; lanes may be renamed later, since some
// formats give names at the end. No call fails: what cannot be kept is counted as a loss, and a
// sink that cannot go on (disk full, cancelled) says so by `keep_going()`.
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
  // Orders states with equal begin and end: the lower value is the outer state. Readers that know
  // the nesting (from begin/end pairs) give their stack's depth; others leave 0, and the state
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
  LaneId target = LaneId::none();  // at most one end may be none
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

  // Returns the type with this category, name and group, creating it on first use.
  virtual EventTypeId type(Category category, std::string_view name,
                           std::string_view group = {}) = 0;
  virtual void set_type_color(EventTypeId id, uint32_t rgb) = 0;

  // Stores an event's parameters, as the text of one JSON object ("{}" excluded), and its raw
  // payload. Each distinct value is stored once. Returns none() if both are empty.
  ParamsId params(std::string_view json, std::span<const std::byte> payload = {}) {
    return json.empty() && payload.empty() ? ParamsId::none() : keep_params(json, payload);
  }

  virtual void states(std::span<const StateEvent> events) = 0;
  virtual void punctuals(std::span<const PunctualEvent> events) = 0;
  virtual void links(std::span<const LinkEvent> events) = 0;
  virtual void variables(std::span<const VariableSample> events) = 0;
  // The same of one.
  void give(const StateEvent& event) { states({&event, 1}); }
  void give(const PunctualEvent& event) { punctuals({&event, 1}); }
  void give(const LinkEvent& event) { links({&event, 1}); }
  void give(const VariableSample& event) { variables({&event, 1}); }

  // Counts `count` occurrences of something that could not be kept (see Loss). `place` is {offset
  // in the input, lane, time}, the latter two where known.
  virtual void loss(std::string_view kind, const LossPlace& place, uint64_t count = 1,
                    bool is_damage = true) = 0;
  // The same of what is no damage (a rounded time, a state without an end, what is left out on
  // purpose): it is listed, but the trace is not called damaged.
  void note(std::string_view kind, const LossPlace& place, uint64_t count = 1) {
    loss(kind, place, count, /*is_damage=*/false);
  }

  // Sets the end of the recording: whatever holds at the last event holds until then. Without this
  // call the trace ends with its last event.
  virtual void set_end(Time end) = 0;

  // Reports progress in bytes of the file on disk (compressed bytes, if it is compressed).
  virtual void progress(uint64_t bytes_done, uint64_t bytes_total) = 0;
  // Returns false when the reader should stop; what was given so far is kept.
  virtual bool keep_going() const = 0;

  // Register and unregister a HeldEvents; called by it alone. A sink whose content is watched while
  // its input pauses asks them to hand over what they hold.
  virtual void add_held(HeldEvents&) {}
  virtual void drop_held(HeldEvents&) {}

 private:
  virtual ParamsId keep_params(std::string_view json, std::span<const std::byte> payload) = 0;
};

// Base of reader components that hold events back for a while, to put them in order. While the
// input pauses, held events would be invisible; the sink then asks for them.
class HeldEvents {
 public:
  // `sink` must outlive this object.
  explicit HeldEvents(EventSink& sink) : sink_(sink) { sink_.add_held(*this); }
  HeldEvents(const HeldEvents&) = delete;
  HeldEvents& operator=(const HeldEvents&) = delete;
  // Hands all held events to the sink. Called by the reader's thread, while it reads from its
  // source.
  virtual void give_held() = 0;

 protected:
  ~HeldEvents() { sink_.drop_held(*this); }

 private:
  EventSink& sink_;
};

}  // namespace weft::trace
