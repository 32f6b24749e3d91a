// The lines of a BTF trace → states, punctual events, variables and links.
//
//   Cores          which task or interrupt each core runs
//   Tasks          active, running, ready, waiting, …; below it its runnables
//   Interrupts     the same
//   Semaphores     what state each is in, who asks for it
//   Signals        values written
//   Stimuli, Schedulers, …   punctual events
//
// FreeRTOS's logger puts the core before the number of a task: "[0/0001]main" and "[1/0001]main"
// are the task "[0001]main", on two cores.
//
// A link goes from what activated a task, when it did, to the task when it starts.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "core/base/large_vector.h"
#include "core/base/time.h"
#include "core/formats/base/args_text.h"
#include "core/formats/base/by_name.h"
#include "core/formats/base/types_by_name.h"
#include "core/formats/embedded/btf/btf_line.h"
#include "core/formats/stacks/open_states.h"
#include "core/trace/event_sink.h"

namespace weft::formats::btf {

class Player {
 public:
  explicit Player(trace::EventSink& sink) : sink_(sink), open_(sink) {}

  void add(const Line& line, uint64_t offset);
  // Ends what is still open at the end of the trace.
  void finish();

 private:
  // A task or an interrupt, of which several instances may be active.
  struct Instance {
    std::string_view state;  // empty: none
    Time since;
    uint64_t offset = 0;
    LaneId activator = LaneId::none();
    Time activated;
    std::optional<uint32_t> core = {};  // on which it runs, if its name said so
  };
  struct Process {
    explicit Process(std::pmr::memory_resource* memory) : instances(memory) {}
    LaneId lane = LaneId::none();
    LaneId runnables = LaneId::none();  // below it
    std::string name;
    std::pmr::map<int64_t, Instance> instances;
    std::string core;  // where it ran last
  };
  struct Core {
    LaneId lane = LaneId::none();
    Process* running = nullptr;
    Time since;
  };

  void add_line(const Line& line, uint64_t offset);
  void add_process(const Line& line, std::string_view group, uint64_t offset);
  void delete_task(std::string_view note, Time time);
  void change(Process& process, Instance& instance, std::string_view state, const Line& line,
              uint64_t offset);
  void end_state(const Process& process, const Instance& instance, int64_t number, Time end);
  void run_on_core(const Line& line, Process& process, bool is_running);
  void leave_core(Core& core, Time end);
  Process& caller_of(const Line& line);
  void add_runnable(const Line& line, uint64_t offset);
  void add_core(const Line& line);
  void add_semaphore(const Line& line);
  void leave_semaphore(trace::StateEvent& state, Time end);
  void add_signal(const Line& line);
  void add_punctual(const Line& line, LaneId lane, std::string_view type);

  LaneId group(std::string_view name);
  LaneId lane(std::string_view group_name, std::string_view name, trace::LaneKind kind);
  Process& process(std::string_view group_name, std::string_view name);
  Core& core(std::string_view name);
  // The lane of a known name; none() if unknown.
  LaneId known_lane(std::string_view name);
  ParamsId params(const Line& line, bool has_source);

  trace::EventSink& sink_;
  stacks::OpenStates open_;
  ByName<LaneId> groups_;
  LargePool memory_;
  std::pmr::map<std::pair<uint32_t, std::string>, LaneId> lanes_{&memory_};
  ByName<Process> processes_;
  ByName<Core> cores_;
  std::map<uint32_t, trace::StateEvent> semaphores_;  // current state by lane
  ByName<LaneId> shown_;                              // by name, of any kind
  Time end_ = Time::min();
  ByName<EventTypeId> states_;  // of tasks and interrupts
  TypesByName tasks_{sink_, trace::Category::kState, "task"};
  TypesByName runnables_{sink_, trace::Category::kState, "runnable"};
  TypesByName punctuals_{sink_, trace::Category::kPunctual};
  EventTypeId activation_ = EventTypeId::none();
  std::optional<uint32_t> core_;  // that the name of the line's target says
  std::string target_, source_;   // of the line, without cores
  ArgsText params_;               // kept for its memory
};

}  // namespace weft::formats::btf
