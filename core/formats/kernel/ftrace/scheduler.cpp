#include "core/formats/kernel/ftrace/scheduler.h"

#include <fmt/core.h>

#include <algorithm>
#include <concepts>
#include <iterator>
#include <utility>

#include "core/base/text.h"
#include "core/formats/base/text.h"
#include "core/trace/task_colors.h"

namespace weft::formats::ftrace {
namespace {

using trace::Category;

struct StateName {
  char letter;
  std::string_view name;
  uint32_t rgb;
};
constexpr std::string_view kRunning = "running";
// States in prev_state of a task that no longer runs.
constexpr StateName kStates[] = {
    {'R', "runnable", trace::kCouldRunRgb},
    {'S', "sleeping", trace::kWaitsRgb},
    {'D', "uninterruptible sleep", trace::kCannotBeWokenRgb},
    {'T', "stopped", trace::kIsStoppedRgb},
    {'t', "traced", trace::kIsStoppedRgb},
    {'X', kDead, trace::kIsDeadRgb},
    {'x', kDead, trace::kIsDeadRgb},
    {'Z', kZombie, trace::kIsDeadRgb},
    {'P', "parked", trace::kIsIdleRgb},
    {'I', "idle", trace::kIsIdleRgb},
    {'K', "killable sleep", trace::kCannotBeWokenRgb},
    // In words alone: where nobody says what, or Fuchsia does.
    {'\0', kNotRunning, trace::kIsIdleRgb},
    {'\0', "blocked", trace::kWaitsRgb},
    {'\0', "suspended", trace::kIsStoppedRgb},
    {'\0', "dying", trace::kIsDeadRgb},
    {'\0', kRunning, trace::kRunsRgb},
};

// The parameters of a state that say one number.
ParamsId params_of(trace::EventSink& sink, std::string_view name, std::integral auto number) {
  return sink.params(fmt::format(R"({{"{}":{}}})", name, number));
}

}  // namespace

std::string_view name_of_task_state(std::string_view letters) {
  if (letters.empty()) return kNotRunning;
  const auto* const it = std::ranges::find(kStates, letters.front(), &StateName::letter);
  return it == std::end(kStates) ? kNotRunning : it->name;
}

// Source: linux, include/linux/sched.h and include/trace/events/sched.h of 3.2, 3.10, 4.4 and 6.1.
std::string_view name_of_task_state(int64_t bits, StateBits which) {
  constexpr int64_t kOldIdle = 0x402;  // TASK_NOLOAD | TASK_UNINTERRUPTIBLE
  if (which == StateBits::kBefore414 && (bits & kOldIdle) == kOldIdle)
    return name_of_task_state("I");
  const std::string_view letters = which == StateBits::kSince414    ? "SDTtXZPI"
                                   : which == StateBits::kBefore414 ? "SDTtZXxKRP"
                                                                    : "SDTtZXxKR";
  for (size_t bit = 0; bit < letters.size(); ++bit) {
    if ((bits >> bit & 1) != 0) return name_of_task_state(letters.substr(bit, 1));
  }
  return kRunnable;
}

uint32_t rgb_of_task_state(std::string_view name) {
  const auto* const it = std::ranges::find(kStates, name, &StateName::name);
  return it == std::end(kStates) ? trace::EventType::kNoColor : it->rgb;
}

StateBits state_bits_of(std::string_view release) {
  const auto major = take_number<int>(release);
  if (!major || !take_prefix(release, ".")) return StateBits::kSince414;
  const std::pair version(*major, take_number<int>(release).value_or(0));
  return version < std::pair(3, 9)    ? StateBits::kBefore39
         : version < std::pair(4, 14) ? StateBits::kBefore414
                                      : StateBits::kSince414;
}

void Scheduler::switch_tasks(const Switch& s, const At& at) {
  Cpu& cpu = cpus_[at.cpu];
  if (cpu.pid > 0 && cpu.pid == s.previous) {
    end_run(at.cpu, cpu, at.time);
  } else if (cpu.pid > 0) {
    tear_run(cpu, s.next, at);
  }
  if (s.previous > 0) {
    Task& previous = task(s.previous, s.previous_name);
    previous.exited.reset();  // what it did goes on until now
    leave_other_cpu(previous, s.previous, at);
    if (previous.is_described && previous.state == TaskState::kRunnable)
      set_running(previous, at.cpu);
    change(previous, TaskState::kSleeping, s.previous_state, at);
    previous.is_recorded = true;
  }
  cpu.pid = s.next;
  cpu.before = s.previous;
  cpu.since = at.time;
  cpu.left.reset();
  if (s.next > 0) cpu.type = run(s, at);
}

// Another task was there before the switch: the one away from this task was not recorded.
void Scheduler::tear_run(const Cpu& cpu, int32_t next, const At& at) {
  Task& gone = task(cpu.pid, {});
  if (gone.exited && gone.cpu == at.cpu) {
    end_run(at.cpu, cpu, *gone.exited);
    return bury(gone, at.time);
  }
  if (gone.state != TaskState::kRunning || gone.cpu != at.cpu) {
    if (cpu.left) end_torn_run(at.cpu, cpu, *cpu.left);
    return;
  }
  end_torn_run(at.cpu, cpu, at);
  if (cpu.pid != next) change(gone, TaskState::kSleeping, kNotRunning, at);
}

void Scheduler::end_torn_run(uint32_t number, const Cpu& cpu, const At& end) {
  report_torn(cpu.pid, {end.time, number, end.offset});
  end_run(number, cpu, end.time);
}

// In a recording of one program the switches of others are left out by choice.
void Scheduler::report_torn(int32_t pid, const At& at) {
  const trace::LossPlace place(at.offset, lanes_.cpu(at.cpu), at.time);
  if (tasks_[pid].is_recorded) {
    sink_.loss("switch not recorded", place);
  } else {
    sink_.note("switch of a task that seems not to be recorded", place);
  }
}

// While a CPU goes to the next task, and a little after that is recorded, the one before is still
// there.
void Scheduler::see_running(int32_t pid, std::string_view name, const At& at) {
  constexpr Duration kMostForASwitch{100'000};
  const auto known = cpus_.find(at.cpu);
  if (known == cpus_.end() || pid < 0) return;
  Cpu& cpu = known->second;
  if (cpu.pid < 0 || cpu.pid == pid) return;
  if (cpu.before == pid && at.time < cpu.since + kMostForASwitch) return;
  if (cpu.pid > 0) {
    tear_run(cpu, pid, at);
  } else {
    report_torn(pid, at);
  }
  cpu.before = std::exchange(cpu.pid, pid);
  cpu.since = at.time;
  cpu.left.reset();
  if (pid > 0)
    cpu.type = run({.previous_name = {}, .next_name = name, .previous_state = {}, .next = pid}, at);
}

// The task is elsewhere now. That its CPU tells so only later is due to clocks that differ.
void Scheduler::leave_other_cpu(const Task& task, int32_t pid, const At& at) {
  if (task.state != TaskState::kRunning || !task.cpu || *task.cpu == at.cpu) return;
  Cpu& other = cpus_[*task.cpu];
  if (other.pid == pid) other.left = at;
}

void Scheduler::switch_half(const HalfSwitch& s, const At& at) {
  if (s.has_cpu && s.comes)
    return switch_tasks(
        {.previous_name = {}, .next_name = s.name, .previous_state = kNotRunning, .next = s.task},
        at);
  if (s.has_cpu)
    return switch_tasks(
        {.previous_name = s.name, .next_name = {}, .previous_state = s.state, .previous = s.task},
        at);
  Task& half = task(s.task, s.name);
  change(half, s.comes ? TaskState::kRunning : TaskState::kSleeping, s.comes ? kRunning : s.state,
         at);
  half.cpu.reset();
}

EventTypeId Scheduler::run(const Switch& s, const At& at) {
  Task& next = task(s.next, s.next_name);
  leave_other_cpu(next, s.next, at);
  change(next, TaskState::kRunning, kRunning, at);
  const EventTypeId type = s.next_name.empty() ? type_of_task(next, lanes_.name_of_task(s.next))
                                               : type_of_task(next, s.next_name);
  if (!next.wake) return type;
  sink_.give(trace::LinkEvent{.send = next.wake->time,
                              .receive = at.time,
                              .source = next.wake->waker,
                              .target = next.lane,
                              .type = sink_.type(Category::kLink, "wake-up")});
  next.wake.reset();
  return type;
}

void Scheduler::end_run(uint32_t number, const Cpu& cpu, Time end) {
  if (end < cpu.since) return;
  ParamsId& pid = tasks_[cpu.pid].params;
  if (pid.is_none()) pid = params_of(sink_, "pid", lanes_.number_of(cpu.pid));
  sink_.give(trace::StateEvent{.begin = cpu.since,
                               .duration = end - cpu.since,
                               .params = pid,
                               .lane = lanes_.cpu(number),
                               .type = cpu.type});
}

EventTypeId Scheduler::type_of_task(Task& task, std::string_view name) {
  if (task.named.is_none() || task.name != name) {
    task.name = name;
    task.named = sink_.type(Category::kState, valid_utf8(name), "task");
  }
  return task.named;
}

EventTypeId Scheduler::type_of_state(std::string_view name) {
  static_assert(std::size(kStates) == kStateNames);
  const auto* const known = std::ranges::find(kStates, name, &StateName::name);
  if (known == std::end(kStates)) return sink_.type(Category::kState, name, "scheduler");
  EventTypeId& type = types_[static_cast<size_t>(known - kStates)];
  if (type.is_none()) {
    type = sink_.type(Category::kState, name, "scheduler");
    sink_.set_type_color(type, known->rgb);
  }
  return type;
}

bool Scheduler::wake(int32_t pid, std::string_view name, LaneId waker, const At& at) {
  if (pid <= 0) return false;
  Task& woken = task(pid, name);
  if (woken.state == TaskState::kRunning || woken.state == TaskState::kRunnable) return false;
  change(woken, TaskState::kRunnable, kRunnable, at);
  woken.wake = {at.time, waker};
  return true;
}

void Scheduler::describe(int32_t pid, std::string_view state, const At& at) {
  Task& described = task(pid, {});
  if (described.state != TaskState::kUnknown) return;
  change(described, state == kRunnable ? TaskState::kRunnable : TaskState::kSleeping, state, at);
  described.is_described = true;
}

void Scheduler::exit(int32_t pid, const At& at) {
  const auto gone = tasks_.find(pid);
  if (gone == tasks_.end()) return;
  if (gone->second.state == TaskState::kRunning) {
    gone->second.exited = at.time;
  } else {
    bury(gone->second, at.time);
  }
}

// A wake-up that is still waited for has no other end. Where a task goes on elsewhere, its CPU was
// recorded no longer.
void Scheduler::finish(Time end) {
  for (const auto& [number, cpu] : cpus_) {
    const auto task = tasks_.find(cpu.pid);
    const bool is_there = task != tasks_.end() && task->second.state == TaskState::kRunning &&
                          task->second.cpu == number;
    if (cpu.pid > 0 && is_there) end_run(number, cpu, task->second.exited.value_or(end));
    if (cpu.pid <= 0 || is_there || !cpu.left) continue;
    sink_.note("run whose end is known from another CPU alone",
               {cpu.left->offset, lanes_.cpu(number), cpu.left->time});
    end_run(number, cpu, cpu.left->time);
  }
  for (auto& [pid, task] : tasks_) {
    end_state(task, end);
    if (!task.wake) continue;
    sink_.give(trace::LinkEvent{.send = task.wake->time,
                                .receive = {},
                                .source = task.wake->waker,
                                .type = sink_.type(Category::kLink, "wake-up")});
  }
}

Scheduler::Task& Scheduler::task(int32_t pid, std::string_view name) {
  Task& task = tasks_.try_emplace(pid).first->second;
  task.lane = lanes_.scheduler(lanes_.task(pid, name, -1));
  return task;
}

void Scheduler::change(Task& task, TaskState state, std::string_view name, const At& at) {
  if (name == kDead) return bury(task, at.time);
  end_state(task, at.time);
  const bool is_preempted = state == TaskState::kSleeping && name == kRunnable;
  task.state = is_preempted ? TaskState::kRunnable : state;
  task.type = type_of_state(name);
  task.since = at.time;
  task.is_described = false;
  task.exited.reset();
  task.cpu = at.cpu;
  task.offset = at.offset;
}

void Scheduler::bury(Task& task, Time end) {
  end_state(task, end);
  const LaneId lane = task.lane;
  const ParamsId params = task.params;
  task = {};
  task.lane = lane;
  task.params = params;
}

void Scheduler::set_running(Task& task, uint32_t cpu) {
  task.state = TaskState::kRunning;
  task.type = type_of_state(kRunning);
  task.cpu = cpu;
}

ParamsId Scheduler::params_of_cpu(uint32_t number) {
  ParamsId& params = cpus_[number].params;
  if (params.is_none()) params = params_of(sink_, "cpu", number);
  return params;
}

void Scheduler::end_state(const Task& task, Time end) {
  if (task.state == TaskState::kUnknown) return;
  end = std::min(end, task.exited.value_or(end));
  if (end < task.since)
    return sink_.loss("time runs backwards on a task", {task.offset, task.lane, end});
  const bool is_running = task.state == TaskState::kRunning;
  sink_.give(trace::StateEvent{
      .begin = task.since,
      .duration = end - task.since,
      .params = is_running && task.cpu ? params_of_cpu(*task.cpu) : ParamsId::none(),
      .lane = task.lane,
      .type = task.type});
}

}  // namespace weft::formats::ftrace
