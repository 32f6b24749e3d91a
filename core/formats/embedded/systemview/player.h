// The packets of a SystemView recording → states, punctual events and links.
//
//   CPU          the task that runs, or idle
//   Interrupts   nested as they interrupted each other
//   Timers, User events
//   Tasks
//     NAME       running, ready, blocked; calls of the operating system; prints
//
// Of several cores, each has its lanes ("CPU 1", "Interrupts 1") and its clock; tasks and names are
// shared.
//
// A link goes from what made a task ready, when it did, to the task when it runs. A call is a state
// where its end is recorded, else a punctual event.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/formats/base/args_text.h"
#include "core/formats/embedded/systemview/packet.h"
#include "core/formats/stacks/held_state.h"
#include "core/formats/stacks/open_states.h"
#include "core/trace/event_sink.h"

namespace weft::formats::systemview {

class Player {
 public:
  // In the folder may lie what events of the operating system are called.
  Player(trace::EventSink& sink, size_t cores, std::filesystem::path folder)
      : sink_(sink), open_(sink), folder_(std::move(folder)), cores_(cores) {}

  // Of all cores, in the order of time.
  void add(size_t on, const Packet& packet, uint64_t offset);
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
  struct Core {
    uint64_t ticks = 0;
    std::optional<uint64_t> running;  // a task
    std::string shown;                // on the lane of the CPU
    Time shown_since;
    uint32_t interrupts = 0;  // that are open
    std::map<std::string, LaneId, std::less<>> lanes;
  };
  struct Parameter {
    std::string name;
    char form;  // as of printf(), and more: 't' a task, 'I' a resource
  };
  struct Description {
    std::string name;
    std::vector<Parameter> parameters = {};
  };
  void describe(std::string_view text);
  void read_descriptions(const std::string& system);
  void describe_event(std::string_view text, uint32_t first, std::string_view module);
  void describe_module(std::string_view payload);
  void set_frequency(std::string_view payload);
  void begin_events();  // their times are in cycles unless a frequency came before
  Time time() const;

  Core* core_of(uint64_t task);  // on which it runs; null: on none
  void start_task(uint64_t id);
  void stop_task();
  void wake(uint64_t id);
  void block(uint64_t id);
  void terminate(uint64_t id);
  void name_task(std::string_view payload);
  void change(Task& task, std::string_view state);
  void show_on_cpu(Core& core, std::string_view name);
  void enter_interrupt(uint64_t id, uint64_t offset);
  void begin(std::string_view lane, const std::string& name, uint64_t offset);
  void print(std::string_view payload);
  void call(const Packet& packet);
  ParamsId params_of(const Packet& packet);
  bool add_value(const Parameter& parameter, std::string_view& payload, ArgsText& out);
  void end_call(std::string_view payload);
  void give_call(LaneId lane, uint32_t id, const Call& call);
  void add_punctual(std::string_view type, ParamsId params);

  Task& task(uint64_t id);
  Core& core() { return cores_[current_]; }
  LaneId lane(std::string_view name) { return lane_of(core(), name); }
  LaneId lane_of(Core& core, std::string_view name);
  LaneId tasks_lane();
  LaneId here();  // what runs
  std::string name_of_event(uint32_t id) const;
  std::string name_of_resource(uint64_t id, std::string_view kind) const;

  trace::EventSink& sink_;
  stacks::OpenStates open_;
  std::filesystem::path folder_;
  uint64_t frequency_ = 0;
  bool has_base_ = false;
  std::map<uint64_t, Task> tasks_;
  std::vector<Core> cores_;
  size_t current_ = 0;  // the core of the packet
  LaneId tasks_lane_ = LaneId::none();
  std::map<uint64_t, std::string> interrupt_names_, resource_names_;
  std::set<std::string> are_read_;                       // systems
  std::map<uint32_t, Description> events_;               // of the system and of modules
  std::map<uint32_t, std::string> modules_;              // by their first event
  std::map<std::pair<uint32_t, uint32_t>, Call> calls_;  // by lane and id; their ends may come
};

}  // namespace weft::formats::systemview
