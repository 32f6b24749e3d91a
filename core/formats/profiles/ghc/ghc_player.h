// The events of GHC's event logs, in order of time → states, punctual events, variables and links.
//
//   Capabilities
//     capability 0   the Haskell thread that it runs; below it garbage collections, sparks and the
//                    stacks of a time profile
//   Threads
//     thread 3       running, runnable, blocked on …; what the program says while it runs
//   and what ghc_heap.h, ghc_profiles.h and ghc_messages.h say
//
// A link goes from the capability on which a thread was woken, when it was, to the thread when it
// runs.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "core/formats/profiles/ghc/ghc_event.h"
#include "core/formats/profiles/ghc/ghc_heap.h"
#include "core/formats/profiles/ghc/ghc_messages.h"
#include "core/formats/profiles/ghc/ghc_profiles.h"
#include "core/formats/profiles/ghc/ghc_variables.h"
#include "core/formats/stacks/held_state.h"
#include "core/formats/stacks/open_states.h"
#include "core/trace/event_sink.h"

namespace weft::formats::ghc {

class Player {
 public:
  explicit Player(trace::EventSink& sink)
      : sink_(sink),
        open_(sink),
        variables_(sink),
        heap_(sink),
        profiles_(sink),
        messages_(sink, [this](uint32_t number) { return thread(number).lane; }) {}

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
    LaneId lane = LaneId::none(), collections = LaneId::none(), sparks = LaneId::none();
    uint32_t running = 0;  // a thread; 0: none
    Time since;
  };
  // Returns false if it is of no type that is known.
  bool play_thread(const Event& event);
  bool play_collection(const Event& event);
  bool play_sparks(const Event& event);
  bool play_time_profile(const Event& event);
  bool play_text(const Event& event);
  bool play_description(const Event& event);
  bool play_wall_clock(const Event& event);
  void run(const Event& event, Thread& thread, uint32_t number);
  void stop(const Event& event, Thread& thread, std::string_view payload);
  void add_other(const Event& event);
  ParamsId number_param(std::string_view name, uint32_t number);
  void change(Thread& thread, std::string_view state, Time now);
  void leave(Capability& capability, Time now);
  void add_punctual(const Event& event, LaneId lane, std::string_view type, std::string_view text);
  Thread& thread(uint32_t number);
  Capability& capability(uint32_t number);
  // The lane of what runs on the event's capability, or of the capability.
  LaneId here(const Event& event);
  LaneId group(LaneId& lane, std::string_view name);
  void show(uint32_t number, Thread& thread);

  trace::EventSink& sink_;
  stacks::OpenStates open_;
  Variables variables_;
  Heap heap_;
  Profiles profiles_;
  Messages messages_;
  std::map<uint16_t, std::string> names_;
  std::map<uint32_t, Thread> threads_;
  std::map<uint32_t, Capability> capabilities_;
  LaneId thread_group_ = LaneId::none(), capability_group_ = LaneId::none();
  Time end_ = Time::min();
};

}  // namespace weft::formats::ghc
