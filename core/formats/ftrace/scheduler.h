// What the scheduler did: which task each CPU ran, what each task did meanwhile, and who woke whom.
//
//   task   sleeping ──wake──▷ runnable ──switch──▷ running ──switch──▷ sleeping, runnable, blocked
//   … link   from the waker, when it woke, to the task it woke, when that ran
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <unordered_map>

#include "core/formats/ftrace/ftrace_lanes.h"
#include "core/formats/ftrace/ftrace_line.h"
#include "core/trace/event_sink.h"

namespace weft::formats::ftrace {

class Scheduler {
 public:
  Scheduler(trace::EventSink& sink, Lanes& lanes) : sink_(sink), lanes_(lanes) {}

  // sched_switch; false where the line does not say who to whom.
  bool add_switch(const Line& line);
  // sched_waking, sched_wakeup, sched_wakeup_new. False where it tells nothing new: the task runs,
  // or is woken already.
  bool add_wakeup(const Line& line, LaneId waker);
  void finish(Time end);

 private:
  enum class TaskState : uint8_t { kUnknown, kRunning, kRunnable, kSleeping };
  struct Task {
    LaneId lane;
    TaskState state = TaskState::kUnknown;
    EventTypeId type = EventTypeId::none();  // of the state, as it is shown
    Time since;
    uint32_t cpu = 0;
    uint64_t offset = 0;
    struct Wake {
      Time time;
      LaneId waker;
    };
    std::optional<Wake> wake;  // it has not run since
  };
  struct Cpu {
    int32_t pid = -1;  // -1: unknown
    EventTypeId type = EventTypeId::none();
    Time since;
  };
  struct Switch {
    std::string_view previous_name, next_name, previous_state;
    int32_t previous = 0, next = 0;
  };

  static std::optional<Switch> parse_switch(std::string_view args);
  Task& task(int32_t pid, std::string_view name);
  void change(Task& task, TaskState state, std::string_view name, const Line& line);
  void end_state(const Task& task, Time end);
  void run(const Switch& s, const Line& line);

  trace::EventSink& sink_;
  Lanes& lanes_;
  std::unordered_map<int32_t, Task> tasks_;
  std::map<uint32_t, Cpu> cpus_;
};

}  // namespace weft::formats::ftrace
