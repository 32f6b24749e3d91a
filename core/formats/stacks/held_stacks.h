// Holds events with stacks, and samples, until names are known: formats describe what lies at an
// address only after using it. If memory runs out, they are given with what is known by then,
// samples last.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/formats/stacks/stack_timeline.h"
#include "core/trace/event_sink.h"

namespace weft::formats::stacks {

constexpr uint64_t kNoStack = UINT64_MAX;

class StackNames {
 public:
  virtual ~StackNames() = default;
  // Names of the stack's frames, innermost first.
  virtual std::vector<std::string> names_of(uint64_t process, uint64_t stack) const = 0;
};

struct HeldEvent {
  Time begin;
  Duration duration;
  bool is_state = false;
  LaneId lane;
  EventTypeId type;
  uint32_t nesting = 0;
  std::string json;  // its parameters; empty: none. The stack is added as "stack"
  uint64_t process = 0;
  uint64_t stack = kNoStack;
};

struct HeldSample {
  Time time;
  Duration interval;  // 0: unknown
  LaneId lane;
  EventTypeId innermost = EventTypeId::none();  // an extra innermost frame
  uint64_t process = 0;
  uint64_t stack = kNoStack;
};

class HeldStacks {
 public:
  // `names` must outlive this object.
  HeldStacks(trace::EventSink& sink, const StackNames& names, uint64_t most_bytes)
      : sink_(sink), names_(names), timeline_(sink), most_bytes_(most_bytes) {}

  // Gives the event at once if it has no stack.
  void add(HeldEvent event);
  void add_sample(const HeldSample& sample);
  void finish();

 private:
  using Key = std::pair<uint64_t, uint64_t>;  // process and stack
  void make_room(uint64_t bytes);
  void release_events();
  void release_samples();
  void give(const HeldEvent& event);
  const std::string& text_of(const Key& key);
  const std::vector<EventTypeId>& frames_of(const Key& key);

  trace::EventSink& sink_;
  const StackNames& names_;
  StackTimeline timeline_;
  uint64_t most_bytes_, bytes_ = 0;
  std::vector<HeldEvent> events_;
  std::vector<HeldSample> samples_;
  // Cached during one release.
  std::map<Key, std::string> texts_;
  std::map<Key, std::vector<EventTypeId>> frames_;
};

}  // namespace weft::formats::stacks
