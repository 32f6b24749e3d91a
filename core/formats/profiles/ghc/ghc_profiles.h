// What the runtime of GHC sampled: where time went, what the heap consists of, how often closures
// were entered.
//
//   capability 0/time profile   stacks of cost centres
//   Heap profile/…              a variable for each type, closure, module or stack of cost centres
//   Ticky counters/name         entries, allocations
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/formats/profiles/ghc/ghc_event.h"
#include "core/formats/profiles/ghc/ghc_variables.h"
#include "core/formats/stacks/sampled_stacks.h"
#include "core/formats/stacks/stack_timeline.h"
#include "core/trace/event_sink.h"

namespace weft::formats::ghc {

class Profiles {
 public:
  explicit Profiles(trace::EventSink& sink) : sink_(sink), variables_(sink), timeline_(sink) {}

  // Notes what an event says of those that follow.
  void learn(const Event& event);
  // Returns false if it is of no type that is known, or damaged.
  bool play(const Event& event);
  // A sample of a time profile, without the capability that `lane` is of.
  bool play_time(LaneId lane, Time time, std::string_view payload);
  void finish();

 private:
  // A part of the heap: a type, a closure, a module, a stack.
  struct HeapPart {
    bool is_there = false, was_sampled = false;
  };
  struct CostCentre {
    std::string label, module;
    EventTypeId type = EventTypeId::none();  // since it was first in a stack of a time profile
  };

  void learn_cost_centre(std::string_view payload);
  void learn_ticky_counter(std::string_view payload);
  void begin_heap_sample(std::optional<Time> time);
  void end_heap_sample(Time now);
  bool play_heap_sample(const Event& event);
  bool play_ticky(const Event& event);
  CostCentre& cost_centre(uint32_t number);
  EventTypeId type_of(uint32_t cost_centre);
  const std::string& name_of(const std::vector<uint32_t>& innermost_first);
  LaneId group(LaneId& lane, std::string_view name);

  trace::EventSink& sink_;
  Variables variables_;
  stacks::StackTimeline timeline_;
  Duration interval_{};  // of the time profile; 0: not known
  std::map<uint32_t, CostCentre> cost_centres_;
  std::map<uint32_t, stacks::SampledStacks> time_lanes_;  // by the lane above
  std::map<std::string, HeapPart, std::less<>> heap_parts_;
  std::map<std::vector<uint32_t>, std::string> stack_names_;  // each only once
  std::optional<Time> heap_sample_time_;  // where the events of a sample come long after it
  std::map<uint64_t, LaneId> ticky_counters_;
  LaneId heap_group_ = LaneId::none(), ticky_group_ = LaneId::none();
};

}  // namespace weft::formats::ghc
