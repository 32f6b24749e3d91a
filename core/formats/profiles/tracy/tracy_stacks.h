// Call stacks, which stand in a Tracy trace behind the events that have them: those wait until they
// are known, many of them in large arrays. Those that find none give the stack's number.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <variant>

#include "core/formats/profiles/tracy/tracy_lanes.h"
#include "core/formats/profiles/tracy/tracy_tables.h"
#include "core/formats/stacks/sampled_stacks.h"
#include "core/formats/stacks/stack_timeline.h"

namespace weft::formats::tracy {

class Stacks {
 public:
  Stacks(trace::EventSink& sink, const Texts& texts, Lanes& lanes)
      : sink_(sink), texts_(texts), lanes_(lanes), timeline_(sink) {}

  // 0: not known.
  void set_sampling_period(int64_t ns) { period_.ticks = ns; }

  using Event = std::variant<trace::StateEvent, trace::PunctualEvent, trace::VariableSample>;
  // Gives an event with call stack `callstack` (0: none). `params` is a JSON object or empty.
  void give(Event event, std::string_view params, uint32_t callstack);
  // One of a thread; those of a thread in order.
  void sample(uint64_t tid, int64_t time, uint32_t callstack, bool is_at_switch);

  // The stacks, and their frames.
  void read(Blocks& in);
  // Gives all that waits; no stack becomes known any more.
  void finish();

 private:
  struct Waiting {
    Event event;
    uint32_t callstack;
    std::string_view params;  // in waiting_texts_
  };
  struct Sample {
    uint64_t tid;
    int64_t time;
    uint64_t number;  // of samples before it
    uint32_t callstack;
    bool is_at_switch;
  };
  struct Frame {
    uint32_t name, file, line, image;
  };
  struct Frames {  // of an address: functions that were put into others in its place come first
    uint32_t first, count;
  };

  bool waits(uint32_t callstack) const { return callstack != 0 && !is_known_; }
  ParamsId params_of(std::string_view params, uint32_t callstack);
  void give_now(Event& event, std::string_view params, uint32_t callstack);
  void give_samples();
  void read_frames(Blocks& in);
  // Calls `with` for each frame, the innermost first: with null where only the address is known.
  template <class With>
  void for_each_frame(uint32_t callstack, With with) const;
  // A JSON array of the frames; empty: the stack is not known.
  std::string text_of(uint32_t callstack) const;
  std::string name_of(uint64_t id, const Frame* frame) const;

  trace::EventSink& sink_;
  const Texts& texts_;
  Lanes& lanes_;
  stacks::StackTimeline timeline_;
  Duration period_;
  LargeVector<Waiting> waiting_;
  TextArena waiting_texts_;
  LargeVector<Sample> samples_;
  LargeVector<uint64_t> addresses_;  // of all stacks
  LargeVector<uint64_t> ends_;       // of each in it
  LargePool memory_;
  std::pmr::unordered_map<uint64_t, Frames> by_id_{&memory_};
  LargeVector<Frame> frames_;
  bool is_known_ = false;
};

}  // namespace weft::formats::tracy
