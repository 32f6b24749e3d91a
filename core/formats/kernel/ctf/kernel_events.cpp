#include "core/formats/kernel/ctf/kernel_events.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>

#include "core/formats/base/text.h"

namespace weft::formats::ctf {
namespace {

using ftrace::At;

At at_of(const Event& event) { return {event.time, event.cpu.value_or(0), event.number}; }

// "softirq" of "softirq_entry".
std::string_view without_last_word(std::string_view name) {
  return name.substr(0, name.rfind('_'));
}

// perf's "sched:sched_switch" without its group.
std::string_view without_group(std::string_view name) {
  return name.substr(name.find(':') + 1);  // none: npos + 1 is 0
}

// "syscall_entry_read", "compat_sys_open", "syscalls:sys_enter_read" → "sys_read", as ftrace says
// it.
std::string name_of_system_call(std::string_view name) {
  for (const std::string_view prefix : {"syscalls:sys_enter_", "compat_", "syscall_entry_", "sys_"})
    take_prefix(name, prefix);
  return fmt::format("sys_{}", name);
}

// LTTng's "tid" is "pid" in events that perf copies from the kernel.
std::optional<int32_t> task_in(const Event& event, const char* name, const char* kernels_name) {
  const auto task = task_number(event.payload(name));
  return task ? task : task_number(event.payload(kernels_name));
}

}  // namespace

KernelEvents::Handler KernelEvents::handler_of(std::string_view name) {
  struct Row {
    std::string_view name;
    Handler handler;
  };
  static constexpr Row kRows[] = {
      {"sched_switch", &KernelEvents::add_switch},
      {"sched_wakeup", &KernelEvents::add_wakeup},
      {"sched_waking", &KernelEvents::add_wakeup},
      {"sched_wakeup_new", &KernelEvents::add_wakeup},
      {"sched_process_fork", &KernelEvents::add_fork},
      {"lttng_statedump_process_state", &KernelEvents::add_process_state},
      {"irq_handler_entry", &KernelEvents::begin_interrupt},
      {"irq_handler_exit", &KernelEvents::end_irq},
      {"softirq_entry", &KernelEvents::begin_interrupt},
      {"softirq_exit", &KernelEvents::end_interrupt},
      {"irq_softirq_entry", &KernelEvents::begin_interrupt},
      {"irq_softirq_exit", &KernelEvents::end_interrupt},
      {"hrtimer_expire_entry", &KernelEvents::begin_interrupt},
      {"hrtimer_expire_exit", &KernelEvents::end_interrupt},
      {"timer_hrtimer_expire_entry", &KernelEvents::begin_interrupt},
      {"timer_hrtimer_expire_exit", &KernelEvents::end_interrupt},
      {"exit_syscall", &KernelEvents::end_system_call},
      {"cpu_idle", &KernelEvents::add_idle},
      {"power_cpu_idle", &KernelEvents::add_idle},
      {"cpu_frequency", &KernelEvents::add_frequency},
      {"power_cpu_frequency", &KernelEvents::add_frequency},
  };
  if (name.starts_with("syscalls:sys_enter_")) return &KernelEvents::begin_system_call;
  if (name.starts_with("syscalls:sys_exit_")) return &KernelEvents::end_system_call;
  const auto* const it = std::ranges::find(kRows, without_group(name), &Row::name);
  if (it != std::end(kRows)) return it->handler;
  if (name.starts_with("lttng_statedump_")) return &KernelEvents::add_dump;
  constexpr std::string_view kVectors = "x86_irq_vectors_";
  if (name.starts_with(kVectors) && name.ends_with("_entry")) return &KernelEvents::begin_interrupt;
  if (name.starts_with(kVectors) && name.ends_with("_exit")) return &KernelEvents::end_interrupt;
  std::string_view call = name;
  take_prefix(call, "compat_");
  if (call.starts_with("syscall_exit_")) return &KernelEvents::end_system_call;
  if (call.starts_with("syscall_entry_") || call.starts_with("sys_"))
    return &KernelEvents::begin_system_call;
  return ftrace::paired_event(without_group(name)) ? &KernelEvents::add_paired : nullptr;
}

LaneId KernelEvents::lane_of(const Event& event) {
  ftrace::Lanes& lanes = kernel_.lanes();
  if (const auto task = task_number(event.context("tid")); task && *task > 0) {
    const auto process = task_number(event.context("pid"));
    return lanes.task(*task, text_of(event.context("procname")), process.value_or(-1));
  }
  if (const auto task = task_number(event.payload("perf_tid")); task && *task > 0)
    return lanes.task(*task, {}, task_number(event.payload("perf_pid")).value_or(-1));
  if (event.cpu) {
    const auto it = running_.find(*event.cpu);
    if (it != running_.end() && it->second > 0) return lanes.task(it->second, {}, -1);
  }
  return lanes.cpu(event.cpu.value_or(0));
}

bool KernelEvents::add_switch(const Event& event) {
  const auto previous = task_in(event, "prev_tid", "prev_pid");
  const auto next = task_in(event, "next_tid", "next_pid");
  if (!previous || !next || !event.cpu) return false;
  const auto state = integer_of(event.payload("prev_state"));
  kernel_.switch_tasks({.previous_name = text_of(event.payload("prev_comm")),
                        .next_name = text_of(event.payload("next_comm")),
                        .previous_state = kernel_.task_state(state.value_or(0)),
                        .previous = *previous,
                        .next = *next},
                       at_of(event));
  running_[*event.cpu] = *next;
  return true;
}

bool KernelEvents::add_wakeup(const Event& event) {
  const auto task = task_in(event, "tid", "pid");
  return task && kernel_.wake(*task, text_of(event.payload("comm")), lane_of(event), at_of(event),
                              event.name.ends_with("wakeup_new"));
}

// It also says how the child is called, and of which process it is.
bool KernelEvents::add_fork(const Event& event) {
  const auto child = task_number(event.payload("child_tid"));
  const auto process = task_number(event.payload("child_pid"));
  if (child && *child > 0) {
    kernel_.give_number(*child, at_of(event));
    kernel_.fork(
        kernel_.lanes().task(*child, text_of(event.payload("child_comm")), process.value_or(-1)));
  }
  return false;
}

// One of those that there were when the trace began. What waits for a CPU may be running.
bool KernelEvents::add_process_state(const Event& event) {
  constexpr int64_t kWaitsForFork = 1, kWaitsForCpu = 2, kWaits = 5;
  const auto task = task_number(event.payload("tid"));
  const auto process = task_number(event.payload("pid"));
  const auto files = integer_of(event.payload("file_table_address"));
  if (files && process) process_of_files_[*files] = *process;
  if (task && *task > 0) {
    kernel_.lanes().task(*task, text_of(event.payload("name")), process.value_or(-1));
    const int64_t status = integer_of(event.payload("status")).value_or(0);
    if (status == kWaitsForFork || status == kWaitsForCpu)
      kernel_.describe_state(*task, ftrace::kRunnable, at_of(event));
    if (status == kWaits) kernel_.describe_state(*task, ftrace::kNotRunning, at_of(event));
  }
  return add_dump(event);
}

// Adds LTTng's dump of the machine's state, independent of what runs.
bool KernelEvents::add_dump(const Event& event) {
  kernel_.add_punctual(lane_of_dump(event), event.name, params_(event),
                       {event.time, At::kNoCpu, event.number});
  return true;
}

// The task, process or CPU that it speaks of.
LaneId KernelEvents::lane_of_dump(const Event& event) {
  ftrace::Lanes& lanes = kernel_.lanes();
  const auto process = task_number(event.payload("pid"));
  if (const auto task = task_number(event.payload("tid")))
    return *task > 0
               ? lanes.task(*task, {}, process.value_or(-1))
               : lanes.cpu(static_cast<uint32_t>(task_number(event.payload("cpu")).value_or(0)));
  if (process && *process > 0) return lanes.process(*process);
  if (const auto files = integer_of(event.payload("file_table_address"))) {
    const auto it = process_of_files_.find(*files);
    if (it != process_of_files_.end()) return lanes.process(it->second);
  }
  if (const auto cpu = task_number(event.payload("cpu_id")))
    return lanes.cpu(static_cast<uint32_t>(*cpu));
  return lanes.below(lanes.root(), "state dump");
}

bool KernelEvents::begin_interrupt(const Event& event) {
  if (const auto vector = integer_of(event.payload("vec"))) {
    kernel_.begin_interrupt(ftrace::name_of_soft_interrupt(*vector), "softirq", at_of(event));
  } else if (const auto number = integer_of(event.payload("irq"))) {
    kernel_.begin_irq(*number, text_of(event.payload("name")), at_of(event));
  } else {
    kernel_.begin_interrupt(without_last_word(event.name), "irq", at_of(event), params_(event));
  }
  return true;
}

bool KernelEvents::end_interrupt(const Event& event) {
  kernel_.end_interrupt(at_of(event));
  return true;
}

bool KernelEvents::end_irq(const Event& event) {
  const auto result = integer_of(event.payload("ret"));
  kernel_.end_irq(result ? std::optional(*result != 0) : std::nullopt, at_of(event));
  return true;
}

bool KernelEvents::begin_system_call(const Event& event) {
  kernel_.begin_system_call(lane_of(event), name_of_system_call(event.name), params_(event),
                            at_of(event));
  return true;
}

bool KernelEvents::end_system_call(const Event& event) {
  kernel_.end_system_call(lane_of(event), integer_of(event.payload("ret")), params_(event),
                          at_of(event));
  return true;
}

bool KernelEvents::add_idle(const Event& event) {
  const auto state = integer_of(event.payload("state"));
  const auto cpu = task_number(event.payload("cpu_id"));
  if (!state || !cpu) return false;
  kernel_.set_idle_state(static_cast<uint32_t>(*cpu), *state, at_of(event));
  return true;
}

bool KernelEvents::add_frequency(const Event& event) {
  const auto frequency = integer_of(event.payload("state"));
  const auto cpu = task_number(event.payload("cpu_id"));
  if (!frequency || !cpu) return false;
  kernel_.set_frequency(static_cast<uint32_t>(*cpu), *frequency, at_of(event));
  return true;
}

// Functions are addresses without names.
bool KernelEvents::add_paired(const Event& event) {
  const auto paired = ftrace::paired_event(without_group(event.name));
  if (!paired) return false;
  kernel_.add_paired(*paired, lane_of(event), {}, paired->is_begin ? params_(event) : "",
                     at_of(event));
  return true;
}

}  // namespace weft::formats::ctf
