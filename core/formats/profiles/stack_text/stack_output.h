// The output of the readers of textual stacks: stacks with weights, side by side on the lanes they
// name or in the order of their dumps.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/formats/base/by_name.h"
#include "core/formats/stacks/stack_timeline.h"
#include "core/formats/stacks/weighted_stacks.h"
#include "core/trace/event_sink.h"

namespace weft::formats::stack_text {

struct Frame {
  std::string_view name;
  std::string_view object{};  // a library, a module, a file; empty: not said
};

class StackOutput {
 public:
  explicit StackOutput(trace::EventSink& sink) : sink_(sink), timeline_(sink) {}

  trace::EventSink& sink() { return sink_; }
  // Sets the unit of weights; call before the first stack.
  void set_time_base(TimeBase base) { sink_.set_time_base(base); }
  EventTypeId type_of(const Frame& frame);

  // Frames from the outermost to the innermost. What else is said of a sample, its thread, say, is
  // a punctual event where it begins.
  void add(std::string_view lane, std::span<const EventTypeId> frames, int64_t weight,
           ParamsId labels = ParamsId::none());
  // Adds a stack to a dump, which has width 1.
  void add_to_dump(std::string_view lane, std::span<const EventTypeId> frames, int64_t dump);
  // The same for the thread's state, on a lane below.
  void add_state_to_dump(std::string_view lane, std::string_view state, int64_t dump);
  void finish() { timeline_.finish(); }

 private:
  stacks::WeightedStacks& lane_of(std::string_view name);

  trace::EventSink& sink_;
  stacks::StackTimeline timeline_;
  ByName<stacks::WeightedStacks> lanes_;
  ByName<LaneId> state_lanes_;
};

// A stack whose innermost frame is written first.
class InnermostFirst {
 public:
  // Adds a frame; returns false, and leaves it out, if the stack is deeper than any program's.
  bool add(EventTypeId frame);
  bool is_empty() const { return frames_.empty(); }
  void clear() { frames_.clear(); }
  // The outermost first; empty from then on.
  std::vector<EventTypeId> take();

 private:
  static constexpr size_t kMostDepth = 4096;
  std::vector<EventTypeId> frames_;
};

// Without "+0x1f" or "+31" at its end: the place in the function.
std::string_view without_offset(std::string_view name);

}  // namespace weft::formats::stack_text
