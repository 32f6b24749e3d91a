#include "core/formats/ftrace/scheduler.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "core/base/text.h"
#include "core/formats/text.h"

namespace weft::formats::ftrace {
namespace {

using trace::Category;

struct StateName {
  char letter;
  std::string_view name;
  uint32_t rgb;
};
// What prev_state says a task does that no longer runs.
constexpr StateName kStates[] = {
    {'R', "runnable", 0xC9A227},
    {'S', "sleeping", 0x566174},
    {'D', "uninterruptible sleep", 0xB5523B},
    {'T', "stopped", 0x7A6C8F},
    {'t', "traced", 0x7A6C8F},
    {'X', "dead", 0x404650},
    {'x', "dead", 0x404650},
    {'Z', "zombie", 0x404650},
    {'P', "parked", 0x4B5A6B},
    {'I', "idle", 0x4B5A6B},
    {'K', "killable sleep", 0xB5523B},
};
constexpr std::string_view kRunning = "running", kRunnable = "runnable";
constexpr uint32_t kRunningRgb = 0x3E9B5F;

// "S", "R+", "D|K"; `trace-cmd report` of old kernels prints numbers: 0 is runnable.
std::string_view name_of_state(std::string_view text) {
  if (text.empty()) return "not running";
  const auto number = parse_number<int64_t>(text);
  char letter = text.front();
  if (number) {
    constexpr char kBits[] = {'S', 'D', 'T', 't', 'X', 'Z', 'P', 'I'};
    letter = 'R';
    for (size_t bit = 0; bit < std::size(kBits); ++bit) {
      if ((*number >> bit & 1) == 0) continue;
      letter = kBits[bit];
      break;
    }
  }
  const auto* const it = std::ranges::find(kStates, letter, &StateName::letter);
  return it == std::end(kStates) ? "not running" : it->name;
}

// "bash:1234": the name may hold colons, too.
bool parse_name_and_pid(std::string_view text, std::string_view& name, int32_t& pid) {
  const size_t colon = text.rfind(':');
  if (colon == std::string_view::npos) return false;
  const auto number = parse_number<int64_t>(text.substr(colon + 1));
  if (!number) return false;
  name = text.substr(0, colon);
  pid = static_cast<int32_t>(*number);
  return true;
}

}  // namespace

// The kernel's own form, and `trace-cmd report`'s: "bash:1234 [120] S ==> swapper/0:0 [120]".
std::optional<Scheduler::Switch> Scheduler::parse_switch(std::string_view args) {
  Switch s;
  const auto previous = parse_number<int64_t>(field(args, "prev_pid"));
  const auto next = parse_number<int64_t>(field(args, "next_pid"));
  if (previous && next) {
    s.previous = static_cast<int32_t>(*previous);
    s.next = static_cast<int32_t>(*next);
    s.previous_name = field(args, "prev_comm");
    s.next_name = field(args, "next_comm");
    s.previous_state = field(args, "prev_state");
    return s;
  }
  constexpr std::string_view kArrow = " ==> ";
  const size_t arrow = args.find(kArrow);
  if (arrow == std::string_view::npos) return std::nullopt;
  const std::string_view from = args.substr(0, arrow), to = args.substr(arrow + kArrow.size());
  const size_t from_end = from.rfind(" ["), to_end = to.rfind(" [");
  if (from_end == std::string_view::npos) return std::nullopt;
  s.previous_state = from.substr(std::min(from.rfind(' ') + 1, from.size()));
  if (!parse_name_and_pid(from.substr(0, from_end), s.previous_name, s.previous) ||
      !parse_name_and_pid(to.substr(0, to_end), s.next_name, s.next))
    return std::nullopt;
  return s;
}

bool Scheduler::add_switch(const Line& line) {
  const auto s = parse_switch(line.args);
  if (!s) return false;
  Cpu& cpu = cpus_[line.cpu];
  if (cpu.pid == s->previous && cpu.pid > 0 && cpu.since <= line.time) {
    const trace::StateEvent state{.begin = cpu.since,
                                  .duration = line.time - cpu.since,
                                  .params = sink_.params(fmt::format(R"({{"pid":{}}})", cpu.pid)),
                                  .lane = lanes_.cpu(line.cpu),
                                  .type = cpu.type};
    sink_.states({&state, 1});
  }
  if (s->previous > 0)
    change(task(s->previous, s->previous_name), TaskState::kSleeping,
           name_of_state(s->previous_state), line);
  cpu = {s->next, EventTypeId::none(), line.time};
  if (s->next > 0) run(*s, line);
  return true;
}

void Scheduler::run(const Switch& s, const Line& line) {
  Task& next = task(s.next, s.next_name);
  change(next, TaskState::kRunning, kRunning, line);
  cpus_[line.cpu].type = sink_.type(Category::kState, valid_utf8(s.next_name), "task");
  if (!next.wake) return;
  const trace::LinkEvent link{.send = next.wake->time,
                              .receive = line.time,
                              .source = next.wake->waker,
                              .target = next.lane,
                              .type = sink_.type(Category::kLink, "wake-up")};
  sink_.links({&link, 1});
  next.wake.reset();
}

bool Scheduler::add_wakeup(const Line& line, LaneId waker) {
  std::string_view name = field(line.args, "comm");
  int32_t pid = 0;
  if (const auto number = parse_number<int64_t>(field(line.args, "pid"))) {
    pid = static_cast<int32_t>(*number);
  } else if (!parse_name_and_pid(line.args.substr(0, line.args.find(" [")), name, pid)) {
    return false;
  }
  if (pid <= 0) return false;
  Task& woken = task(pid, name);
  if (woken.state == TaskState::kRunning || woken.state == TaskState::kRunnable) return false;
  change(woken, TaskState::kRunnable, kRunnable, line);
  woken.wake = {line.time, waker};
  return true;
}

// One that is still waited for has no other end.
void Scheduler::finish(Time end) {
  for (auto& [pid, task] : tasks_) {
    end_state(task, end);
    if (!task.wake) continue;
    const trace::LinkEvent link{.send = task.wake->time,
                                .receive = {},
                                .source = task.wake->waker,
                                .type = sink_.type(Category::kLink, "wake-up")};
    sink_.links({&link, 1});
  }
}

Scheduler::Task& Scheduler::task(int32_t pid, std::string_view name) {
  Task& task = tasks_.try_emplace(pid).first->second;
  task.lane = lanes_.task(pid, name, -1);
  return task;
}

void Scheduler::change(Task& task, TaskState state, std::string_view name, const Line& line) {
  end_state(task, line.time);
  const bool is_preempted = state == TaskState::kSleeping && name == kRunnable;
  task.state = is_preempted ? TaskState::kRunnable : state;
  task.type = sink_.type(Category::kState, name, "scheduler");
  task.since = line.time;
  task.cpu = line.cpu;
  task.offset = line.offset;
  const auto* const known = std::ranges::find(kStates, name, &StateName::name);
  if (name == kRunning) sink_.set_type_color(task.type, kRunningRgb);
  if (known != std::end(kStates)) sink_.set_type_color(task.type, known->rgb);
}

void Scheduler::end_state(const Task& task, Time end) {
  if (task.state == TaskState::kUnknown) return;
  if (end < task.since) return sink_.loss("time runs backwards on a task", task.offset);
  const bool is_running = task.state == TaskState::kRunning;
  const trace::StateEvent state{
      .begin = task.since,
      .duration = end - task.since,
      .params =
          is_running ? sink_.params(fmt::format(R"({{"cpu":{}}})", task.cpu)) : ParamsId::none(),
      .lane = task.lane,
      .type = task.type};
  sink_.states({&state, 1});
}

}  // namespace weft::formats::ftrace
