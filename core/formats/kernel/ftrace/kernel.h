// Interprets kernel tracepoints, whatever recorded them (ftrace text, trace.dat, Perfetto, LTTng):
// readers parse records and call this; equal records give equal states, links and lanes. It parses
// nothing: names and numbers come as the reader found them.
//
// Call in order of time. Texts need not be valid UTF-8. Parameters are JSON objects as text, or
// empty; a state gets those of its begin and of its end.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>

#include "core/formats/kernel/ftrace/ftrace_lanes.h"
#include "core/formats/kernel/ftrace/keyed_states.h"
#include "core/formats/kernel/ftrace/paired_events.h"
#include "core/formats/kernel/ftrace/scheduler.h"
#include "core/formats/kernel/ftrace/transactions.h"
#include "core/formats/kernel/ftrace/value_events.h"
#include "core/formats/stacks/open_states.h"
#include "core/trace/event_sink.h"

namespace weft::formats::ftrace {

// "TIMER" of 1.
std::string name_of_soft_interrupt(int64_t vector);

inline constexpr std::string_view kMarks = "marks";  // the group of what user space says

// "sde_tracing_mark_write", …: drivers write marks, too, into tracepoints of their own.
inline bool is_driver_mark(std::string_view event) {
  return event.ends_with("_tracing_mark_write") || event == "panel_write_generic";
}

class Kernel {
 public:
  explicit Kernel(trace::EventSink& sink, LaneId root = LaneId::none(),
                  Lanes::OnTasks on_tasks = Lanes::OnTasks::kScheduler)
      : sink_(sink),
        lanes_(sink, root, on_tasks),
        open_(sink),
        keyed_(sink, lanes_),
        scheduler_(sink, lanes_),
        transactions_(sink) {}

  Lanes& lanes() { return lanes_; }
  // Sets the architecture, as in `uname -m`, which determines system call numbers. Unknown by
  // default.
  void set_architecture(std::string_view name) { architecture_ = name; }
  // Sets the kernel release, as in `uname -r`, which determines the bits of task states. Default:
  // today's.
  void set_release(std::string_view release) { state_bits_ = state_bits_of(release); }
  void set_state_bits(StateBits bits) { state_bits_ = bits; }
  std::string_view task_state(int64_t bits) const { return name_of_task_state(bits, state_bits_); }

  // Switches tasks; a dying task's states end.
  void switch_tasks(const Switch& s, const At& at);
  void switch_half(const HalfSwitch& s, const At& at);
  void exit_task(int32_t pid, const At& at);
  // Sets a task's state as found by the recorder's survey of all tasks: kRunnable or kNotRunning.
  void describe_state(int32_t pid, std::string_view state, const At& at);
  // A task is seen to run on a CPU, as it made a record there.
  void see_running(int32_t pid, std::string_view name, const At& at) {
    scheduler_.see_running(pid, name, at);
  }
  // The task is gone, and its number free.
  void free_task(int32_t pid, const At& at);
  // A task gets the number: one that had it and has ended keeps its lanes to itself. Call before
  // the new task is described.
  void give_number(int32_t pid, const At& at);
  // A task begins behind the call that made it, of which it sees the end only.
  void fork(LaneId child) { new_tasks_.insert(child.value()); }
  // Returns false if it tells nothing new: see Scheduler.
  bool wake(int32_t pid, std::string_view name, LaneId waker, const At& at, bool is_new = false);
  // What a thread sends through Android's Binder, and another receives. False: it was sent before
  // the trace.
  void send_transaction(int64_t number, bool is_reply, LaneId sender, std::string_view params,
                        const At& at);
  bool receive_transaction(int64_t number, LaneId receiver, const At& at);
  // Interrupts nest on a lane below their CPU. That of a device is called as that, or by its
  // number.
  void begin_irq(int64_t number, std::string_view name, const At& at);
  void end_irq(std::optional<bool> is_handled, const At& at);
  // `group` is "softirq", …
  void begin_interrupt(std::string_view name, std::string_view group, const At& at,
                       std::string_view params = {});
  void end_interrupt(const At& at, std::string_view params = {});
  // One of a pair; `caller` is the task it happened in, `function` what the begin says to run
  // (empty: nothing, or an address).
  void add_paired(const PairedEvent& event, LaneId caller, std::string_view function,
                  std::string_view params, const At& at);
  // On a lane of their own below what made them: a task, or a CPU that was idle. What a call
  // returned is its parameter "ret", and the name of an error that this is "error".
  void begin_system_call(LaneId caller, std::string_view name, std::string_view params,
                         const At& at);
  void begin_system_call(LaneId caller, int64_t number, std::string_view params, const At& at);
  void end_system_call(LaneId caller, std::optional<int64_t> returned, std::string_view params,
                       const At& at);
  void begin_function(LaneId caller, std::string_view name, const At& at,
                      std::string_view params = {});
  void end_function(LaneId caller, const At& at, std::string_view params = {});
  // A call of which the end and the length are told only.
  void add_function(LaneId caller, std::string_view name, Duration took, std::string_view params,
                    const At& end);
  // A call whose end is not told.
  void add_call(LaneId lane, std::string_view function, std::string_view params, const At& at);
  // Begins and ends other pairs; an end closes the latest begin of its name.
  void begin_pair(LaneId lane, EventTypeId type, std::string_view params, const At& at);
  void end_pair(LaneId lane, EventTypeId type, const At& at, std::string_view params = {});
  EventTypeId type_of_pair(std::string_view name, std::string_view group = kMarks);
  // A mark that user space wrote, as atrace does: "B|pid|name", "C|pid|name|value"; or HarmonyOS:
  // "C|pid|H:name value". False: another text.
  bool add_mark(LaneId task, std::string_view mark, const At& at);
  // The same by a driver, as it is printed: "B|pid|name|0".
  bool add_driver_mark(LaneId task, std::string_view mark, const At& at);
  // cpu_idle and cpu_frequency; 4294967295 is the end of being idle.
  void set_idle_state(uint32_t cpu, int64_t state, const At& at);
  void set_frequency(uint32_t cpu, int64_t khz, const At& at);
  // Adds noise seen by osnoise, i.e. time taken from the program on a CPU ("irq_noise"), on a lane
  // below the CPU.
  void add_noise(std::string_view event, std::string_view name, Time begin, Duration took,
                 std::string_view params, const At& at);
  // suspend_resume: a step on the machine's way to sleep or back, on a lane of its own. `value` is
  // the state that it goes to, or the CPU that it is about.
  void suspend(std::string_view action, std::optional<int64_t> value, bool is_begin, const At& at);
  // A value that a tracepoint says, in a field; see ValueEvent.
  void add_value(const ValueEvent& event, const ValueOwner& of, std::string_view field,
                 double value, const At& at);
  void sample(LaneId lane, std::string_view name, double value, const At& at);
  // Adds an event that nothing above is about: a begin or an end of KeyedStates, or without a known
  // meaning. On a task's lane its parameters include the CPU then.
  void add_punctual(LaneId lane, std::string_view name, std::string_view params, const At& at);
  // The kernel's buffer of a CPU overflowed behind what was seen last.
  void lose(uint64_t events, uint32_t cpu, uint64_t offset);

  // What is told to nobody here happened then: the trace does not end before.
  void saw(Time time);
  // Ends what is still open at the end of the trace.
  void finish();

 private:
  struct Async {
    LaneId lane = LaneId::none();
    Time begin{};
    uint64_t offset = 0;
    EventTypeId type = EventTypeId::none();
    ParamsId params = ParamsId::none();
  };
  bool add_harmony_mark(char kind, std::string_view pid, std::string_view text, LaneId task,
                        const At& at);
  bool add_count(LaneId task, std::string_view pid, std::string_view name, std::string_view value,
                 const At& at);
  void begin_call(LaneId caller, std::string_view name, std::string_view params, const At& at);
  void begin(LaneId lane, std::string_view name, std::string_view group, std::string_view params,
             const At& at);
  void end(LaneId lane, const At& at, std::string_view params = {});
  void add_async(LaneId task, std::string_view key, std::string_view track, std::string_view name,
                 bool is_begin, const At& at, std::string_view params = {});
  void give_async(const Async& begun, Time end);
  void saw(const At& at) { saw(at.time); }
  ParamsId params_of_punctual(LaneId lane, std::string_view params, const At& at);

  trace::EventSink& sink_;
  Lanes lanes_;
  std::string architecture_;
  StateBits state_bits_ = StateBits::kSince414;
  stacks::OpenStates open_;
  KeyedStates keyed_;
  Scheduler scheduler_;
  Transactions transactions_;
  LargePool memory_;
  std::pmr::unordered_set<uint32_t> new_tasks_{
      &memory_};  // lanes of tasks that have seen no end of a call
  std::pmr::unordered_set<int32_t> ended_{&memory_};  // tasks whose numbers may come again
  bool has_named_calls_ = false, has_numbered_calls_ = false;
  // By "process|name|cookie" or "process|track|cookie|track".
  std::pmr::map<std::pmr::string, Async, std::less<>> async_{&memory_};
  std::string json_;  // reused memory
  Time last_;
  bool is_first_ = true;
};

}  // namespace weft::formats::ftrace
