// The events of GHC's event logs, in order of time → states, punctual events, variables and links.
//
//   Capabilities
//     capability 0   the Haskell thread that it runs; garbage collections above it
//   Threads
//     thread 3       running, runnable, blocked on …; what the program says while it runs
//   Heap             allocated, size, live, in bytes
//
// A link goes from the capability on which a thread was woken, when it was, to the thread when it
// runs.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "core/formats/profiles/ghc/ghc_event.h"
#include "core/formats/stacks/held_state.h"
#include "core/formats/stacks/open_states.h"
#include "core/trace/event_sink.h"

namespace weft::formats::ghc {

class Player {
 public:
  explicit Player(trace::EventSink& sink) : sink_(sink), open_(sink) {}

  // Names an unknown type of event.
  void describe(uint16_t type, std::string_view name) { names_[type] = name; }
  void play(const Event& event);
  void finish();

 private:
  struct Thread {
    LaneId lane = LaneId::none();
    std::string label;
    stacks::HeldState held;
    LaneId waker = LaneId::none();
    Time woken;
  };
  struct Capability {
    LaneId lane = LaneId::none(), collections = LaneId::none();
    uint32_t running = 0;  // a thread; 0: none
    Time since;
  };
  // A part of the heap in its profile: a type, a closure, a module.
  struct HeapPart {
    LaneId lane = LaneId::none();
    bool is_there = false, was_sampled = false;
  };
  // Returns false if it is of no type that is known.
  bool play_thread(const Event& event);
  bool play_collection(const Event& event);
  bool play_heap(const Event& event);
  bool play_heap_profile(const Event& event);
  bool play_text(const Event& event);
  bool play_description(const Event& event);
  void run(const Event& event, Thread& thread, uint32_t number);
  void stop(const Event& event, Thread& thread, uint16_t status);
  void change(Thread& thread, std::string_view state, Time now);
  void leave(Capability& capability, Time now);
  void add_punctual(const Event& event, LaneId lane, std::string_view type, std::string_view text);
  Thread& thread(uint32_t number);
  Capability& capability(uint32_t number);
  // The lane of what runs on the event's capability, or of the capability.
  LaneId here(const Event& event);
  LaneId group(LaneId& lane, std::string_view name);
  void show(uint32_t number, Thread& thread);
  void add_sample(LaneId lane, Time time, uint64_t bytes, std::string_view name);

  trace::EventSink& sink_;
  stacks::OpenStates open_;
  std::map<uint16_t, std::string> names_;
  std::map<uint32_t, Thread> threads_;
  std::map<uint32_t, Capability> capabilities_;
  std::map<uint16_t, LaneId> heap_;  // by type
  std::map<std::string, HeapPart, std::less<>> heap_parts_;
  LaneId thread_group_ = LaneId::none(), capability_group_ = LaneId::none(),
         heap_group_ = LaneId::none(), profile_group_ = LaneId::none();
  Time end_ = Time::min();
};

}  // namespace weft::formats::ghc
