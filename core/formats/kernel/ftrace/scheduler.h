// Scheduling: which task each CPU ran, what each task did meanwhile, and which task woke which.
//
//   task   sleeping ──wake──▷ runnable ──switch──▷ running ──switch──▷ sleeping, runnable, blocked
//   … link   from the waker, when it woke, to the task it woke, when that ran
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "core/base/large_vector.h"
#include "core/formats/kernel/ftrace/ftrace_lanes.h"
#include "core/trace/event_sink.h"

namespace weft::formats::ftrace {

// When and where a record was made.
struct At {
  static constexpr uint32_t kNoCpu = UINT32_MAX;  // nobody says which
  Time time;
  uint32_t cpu = 0;
  uint64_t offset = 0;  // in the input, for what is lost
};

// The encoding of task states in Linux's records: the task's own bits, one for "preempted" after
// the last of them or, since 4.14, a separate set.
enum class StateBits : uint8_t { kBefore39, kBefore414, kSince414 };
StateBits state_bits_of(std::string_view release);  // "4.4.3-1-ARCH"

// Names the state of a task that no longer runs ("sleeping"), by the letters that ftrace prints
// ("S", "R+", "D|K") or the bits that it and LTTng record: 0 is runnable.
std::string_view name_of_task_state(std::string_view letters);
std::string_view name_of_task_state(int64_t bits, StateBits which = StateBits::kSince414);
// The colour of a state of this name; EventType::kNoColor: it has none of its own.
uint32_t rgb_of_task_state(std::string_view name);
// Names of states.
inline constexpr std::string_view kDead = "dead", kZombie = "zombie", kRunnable = "runnable",
                                  kNotRunning = "not running";

// A CPU goes from one task to another; 0 is the idle one.
struct Switch {
  std::string_view previous_name, next_name;
  std::string_view previous_state;  // name_of_task_state()
  int32_t previous = 0, next = 0;
};

// One end of a switch: a task comes to a CPU, or leaves it; nothing is said of the other task.
struct HalfSwitch {
  std::string_view name, state;  // of the task; name_of_task_state() of one that leaves
  int32_t task = 0;
  bool comes = false, has_cpu = true;
};

class Scheduler {
 public:
  Scheduler(trace::EventSink& sink, Lanes& lanes) : sink_(sink), lanes_(lanes) {}

  void switch_tasks(const Switch& s, const At& at);
  void switch_half(const HalfSwitch& s, const At& at);
  // A task is seen to run on a CPU: if that is known to run another, a switch was not recorded.
  void see_running(int32_t pid, std::string_view name, const At& at);
  // Returns false if it tells nothing new: the task runs, or is woken already.
  bool wake(int32_t pid, std::string_view name, LaneId waker, const At& at);
  // The task exits: what it does goes on until it leaves its CPU or, where that is not recorded,
  // ends now.
  void exit(int32_t pid, const At& at);
  // Sets a task's state as found by the recorder's survey, unless it is known. A "runnable" task
  // may have been running: the switch away from it tells.
  void describe(int32_t pid, std::string_view state, const At& at);
  void finish(Time end);

 private:
  enum class TaskState : uint8_t { kUnknown, kRunning, kRunnable, kSleeping };
  struct Task {
    LaneId lane;
    TaskState state = TaskState::kUnknown;
    EventTypeId type = EventTypeId::none();  // of the state, as it is shown
    Time since;
    bool is_described = false;  // the state was not seen to begin
    bool is_recorded = false;   // a switch away from it was
    std::optional<Time> exited;
    std::optional<uint32_t> cpu;
    uint64_t offset = 0;
    struct Wake {
      Time time;
      LaneId waker;
    };
    std::optional<Wake> wake;                 // it has not run since
    std::string name;                         // as `named` says it
    EventTypeId named = EventTypeId::none();  // of its states on CPUs
    ParamsId params = ParamsId::none();       // its number, once it is needed
  };
  struct Cpu {
    int32_t pid = -1;     // -1: unknown
    int32_t before = -1;  // which ran before the last switch; likewise
    EventTypeId type = EventTypeId::none();
    Time since;
    std::optional<At> left = {};         // since when its task is elsewhere, at the latest
    ParamsId params = ParamsId::none();  // its number, once it is needed
  };
  static constexpr size_t kStateNames = 16;

  Task& task(int32_t pid, std::string_view name);
  EventTypeId type_of_state(std::string_view name);
  EventTypeId type_of_task(Task& task, std::string_view name);
  void change(Task& task, TaskState state, std::string_view name, const At& at);
  void bury(Task& task, Time end);
  void set_running(Task& task, uint32_t cpu);
  void end_state(const Task& task, Time end);
  // The type of the state that begins on the CPU.
  EventTypeId run(const Switch& s, const At& at);
  // What the CPU ran until then.
  void end_run(uint32_t number, const Cpu& cpu, Time end);
  // End a run at an unrecorded switch, for the CPU as for its task.
  void tear_run(const Cpu& cpu, int32_t next, const At& at);
  void end_torn_run(uint32_t number, const Cpu& cpu, const At& end);
  void report_torn(int32_t pid, const At& at);
  void leave_other_cpu(const Task& task, int32_t pid, const At& at);
  ParamsId params_of_cpu(uint32_t number);

  trace::EventSink& sink_;
  Lanes& lanes_;
  LargePool memory_;
  std::pmr::unordered_map<int32_t, Task> tasks_{&memory_};
  std::map<uint32_t, Cpu> cpus_;
  std::array<EventTypeId, kStateNames> types_;  // of states that have been named
};

}  // namespace weft::formats::ftrace
