// The packets of a SystemView recording → states, punctual events and links.
//
//   CPU          the task that runs, or idle
//   Interrupts   nested as they interrupted each other
//   Timers, User events
//   Tasks
//     NAME       running, ready, blocked; calls of the operating system; prints
//
// A link goes from what made a task ready, when it did, to the task when it runs. A call is a state
// where its end is recorded, else a punctual event.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "core/formats/embedded/systemview/packet.h"
#include "core/formats/stacks/held_state.h"
#include "core/formats/stacks/open_states.h"
#include "core/trace/event_sink.h"

namespace weft::formats::systemview {

class Player {
 public:
  explicit Player(trace::EventSink& sink) : sink_(sink), open_(sink) {}

  void add(const Packet& packet, uint64_t offset);
  void finish();

 private:
  struct Task {
    LaneId lane = LaneId::none();
    std::string name;
    stacks::HeldState held;
    bool is_ready = true;  // wants to run
    LaneId waker = LaneId::none();
    Time woken;
  };
  struct Call {
    Time time;
    ParamsId params = ParamsId::none();
  };
  void describe(std::string_view text);
  void describe_module(std::string_view payload);
  void set_frequency(std::string_view payload);
  Time time() const;

  void start_task(uint64_t id);
  void stop_task();
  void wake(uint64_t id);
  void block(uint64_t id);
  void terminate(uint64_t id);
  void name_task(std::string_view payload);
  void change(Task& task, std::string_view state);
  void show_on_cpu(std::string_view name);
  void enter_interrupt(uint64_t id, uint64_t offset);
  void begin(std::string_view lane, const std::string& name, uint64_t offset);
  void print(std::string_view payload);
  void call(const Packet& packet);
  void end_call(std::string_view payload);
  void give_call(LaneId lane, uint32_t id, const Call& call);
  void add_punctual(std::string_view type, ParamsId params);

  Task& task(uint64_t id);
  LaneId lane(std::string_view name);
  LaneId here();  // what runs
  std::string name_of_event(uint32_t id) const;
  std::string name_of_resource(uint64_t id, std::string_view kind) const;

  trace::EventSink& sink_;
  stacks::OpenStates open_;
  uint64_t ticks_ = 0, frequency_ = 0;
  bool has_base_ = false;
  std::map<uint64_t, Task> tasks_;
  std::optional<uint64_t> running_;
  std::string on_cpu_;
  Time on_cpu_since_;
  uint32_t interrupts_ = 0;  // that are open
  std::map<std::string, LaneId, std::less<>> lanes_;
  std::map<uint64_t, std::string> interrupt_names_, resource_names_;
  std::map<uint32_t, std::string> event_names_;          // of modules
  std::map<std::pair<uint32_t, uint32_t>, Call> calls_;  // by lane and id; their ends may come
};

}  // namespace weft::formats::systemview
