// The events of Go's execution traces, in order of time → states, punctual events, variables and
// links.
//
//   Processors
//     processor 0    the goroutine that it runs
//   Goroutines
//     main.main (1)  running, runnable, blocked on …, in a system call
//       regions        those of the program; sweeps and assists of the garbage collector
//   Garbage collection, World   collections; why everything was stopped
//   Tasks            those of the program, by name
//   Heap             allocated, goal
//
// Where a goroutine blocked, yielded or called the system, and where it was sampled, is a
// parameter. A link goes from what made a goroutine runnable, when it did, to the goroutine when it
// runs.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "core/formats/profiles/go/go_decoder.h"
#include "core/formats/stacks/held_state.h"
#include "core/formats/stacks/open_states.h"
#include "core/trace/event_sink.h"

namespace weft::formats::go {

class Player {
 public:
  Player(trace::EventSink& sink, const Knowledge& knowledge)
      : sink_(sink), knowledge_(knowledge), open_(sink) {}

  // Before 1.22 processors make events, since then threads do, on processors.
  void set_runners_are_processors() { are_processors_ = true; }
  void play(const Event& event);
  void finish();

 private:
  struct Goroutine {
    LaneId lane = LaneId::none(), regions = LaneId::none();
    std::string name, label;
    stacks::HeldState held;
    LaneId waker = LaneId::none();
    Time woken;
  };
  struct Runner {
    uint64_t processor = 0, goroutine = 0;  // 0: none
    bool has_processor = false;
    ParamsId call = ParamsId::none();  // the last one of the system: where it was made
  };
  struct Processor {
    LaneId lane = LaneId::none();
    uint64_t goroutine = 0;
    Time since;
  };
  struct Task {
    LaneId lane;
    Time begin;
    ParamsId params;
    EventTypeId type;
  };

  void play_processor(const Event& event);
  void play_goroutine(const Event& event);
  void play_program(const Event& event);
  void play_collector(const Event& event);
  void create(const Event& event);
  void start(const Event& event);
  void stop(const Event& event, std::string_view state, ParamsId where = ParamsId::none());
  void unblock(const Event& event);
  void set(uint64_t id, std::string_view state);
  void change(Goroutine& goroutine, std::string_view state, ParamsId params = ParamsId::none());
  void show_on_processor(Runner& runner, uint64_t goroutine);
  void begin_task(const Event& event);
  void end_task(uint64_t id);
  void add_punctual(LaneId lane, std::string_view type, ParamsId params);
  ParamsId log_of(const Event& event);
  ParamsId stack(const Event& event);
  void sample(std::string_view name, uint64_t value);

  Goroutine& goroutine(uint64_t id);
  Processor& processor(uint64_t id);
  Runner& runner(const Event& event);
  LaneId here(const Event& event);
  LaneId regions(const Event& event);
  LaneId regions_of(Goroutine& of);
  LaneId lane(std::string_view name, std::string_view below = {},
              trace::LaneKind kind = trace::LaneKind::kGroup);
  void show(uint64_t id, Goroutine& goroutine);
  std::string text(const Event& event, uint64_t id) const;
  std::string function(const Event& event) const;

  trace::EventSink& sink_;
  const Knowledge& knowledge_;
  stacks::OpenStates open_;
  bool are_processors_ = false;
  Time now_, end_ = Time::min();
  std::unordered_map<uint64_t, Goroutine> goroutines_;
  std::map<uint64_t, Runner> runners_;
  std::map<uint64_t, Processor> processors_;
  std::map<uint64_t, Task> tasks_;
  std::map<std::string, LaneId, std::less<>> lanes_;
  std::map<std::pair<uint32_t, uint64_t>, ParamsId> stacks_;  // by generation and number
};

}  // namespace weft::formats::go
