// The named objects of a recording: tasks, interrupts, queues, states, texts, by their address on
// the target.
//
//   CPU, Interrupts       of each core
//   Tasks/NAME
//   Queues/NAME           how full it is; likewise semaphores, buffers, …
//
// A deleted address that is reused is another object. Memory: the names; beyond a limit objects are
// shown by address and counted.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "core/formats/embedded/psf/events.h"
#include "core/formats/embedded/psf/flow.h"
#include "core/formats/stacks/held_state.h"
#include "core/trace/event_sink.h"

namespace weft::formats::psf {

struct Object {
  std::string name;  // empty: not known
  Class kind = Class::kNone;
  LaneId lane = LaneId::none();    // where it has one
  LaneId parent = LaneId::none();  // of the lane; none: that of its kind
  uint64_t value = 0;     // a task's or interrupt's priority; the set of an interval's channel
  bool is_given = false;  // `value` was given
  bool has_shown_value = false;

  stacks::HeldState held;  // of a task or a state machine
  bool is_ready = true;    // a task that wants to run
  Origin woken{{}, LaneId::none()};
  std::string waits_for;  // a task
  Time waits_since;
  ParamsId wait_params = ParamsId::none();
  Flow flow;  // of a queue and the like
};

class Objects {
 public:
  explicit Objects(trace::EventSink& sink) : sink_(sink) {}

  Object& of(uint64_t address);
  const Object* find(uint64_t address) const;
  void set_name(uint64_t address, std::string_view name);
  void set_kind(uint64_t address, Class kind);
  void set_priority(uint64_t address, uint64_t priority);
  void forget(uint64_t address) { objects_.erase(address); }
  // Returns the object's name, or its address.
  std::string name_of(uint64_t address) const;

  void set_parent(uint64_t address, LaneId parent) { of(address).parent = parent; }
  // The object's lane, made at its first mention.
  LaneId lane(uint64_t address);
  // Returns a group's lane, at the root.
  LaneId group(std::string_view name);
  LaneId core(std::string_view name, uint32_t core);
  void set_cores(uint32_t cores) { has_cores_ = has_cores_ || cores > 1; }

  std::map<uint64_t, Object>& all() { return objects_; }
  // The number of objects beyond the limit, to be reported at the end.
  uint64_t beyond_limit() const { return beyond_; }

 private:
  void show(uint64_t address, const Object& object);
  LaneId parent_of(const Object& object);

  trace::EventSink& sink_;
  std::map<uint64_t, Object> objects_;
  Object surplus_;
  uint64_t beyond_ = 0;
  std::map<std::string, LaneId, std::less<>> groups_;
  std::map<std::pair<std::string, uint32_t>, LaneId> cores_;
  bool has_cores_ = false;
};

}  // namespace weft::formats::psf
