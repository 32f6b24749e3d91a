#include "core/formats/embedded/btf/btf_player.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <string>

#include "core/base/text.h"
#include "core/formats/base/text.h"
#include "core/trace/task_colors.h"

namespace weft::formats::btf {
namespace {

using trace::Category;
using trace::LaneKind;

constexpr std::string_view kCores = "Cores", kTasks = "Tasks", kInterrupts = "Interrupts",
                           kRunning = "running";

struct StateOfEvent {
  std::string_view event, state;  // empty state: gone
  uint32_t rgb;
};
// The state of a task or interrupt after an event.
constexpr StateOfEvent kStates[] = {
    {"activate", "active", trace::kCouldRunRgb},
    {"start", kRunning, trace::kRunsRgb},
    {"resume", kRunning, trace::kRunsRgb},
    {"preempt", "ready", trace::kCouldRunRgb},
    {"terminate", "", 0},
    {"wait", "waiting", trace::kWaitsRgb},
    {"release", "ready", trace::kCouldRunRgb},
    {"poll", "polling", trace::kCannotBeWokenRgb},
    {"run_polling", "polling", trace::kCannotBeWokenRgb},
    {"park", "parking", trace::kIsIdleRgb},
    {"poll_parking", "polling", trace::kCannotBeWokenRgb},
    {"release_parking", "ready", trace::kCouldRunRgb},
    {"suspend", "suspended", trace::kIsIdleRgb},
};

struct GroupOfType {
  std::string_view type, group;
};
// Groups of entities with punctual events.
constexpr GroupOfType kGroups[] = {
    {"STI", "Stimuli"},    {"SCHED", "Schedulers"},      {"ECU", "ECUs"},      {"P", "Processors"},
    {"M", "Memories"},     {"IB", "Instruction blocks"}, {"SYSTEM", "System"}, {"OS", "System"},
    {"SIM", "Simulation"}, {"EC", "Event chains"}};

// The core in a name such as "[0/0001]main", from which it is taken out; `scratch` holds the rest.
std::optional<uint32_t> take_core(std::string_view& name, std::string& scratch) {
  std::string_view rest = name;
  if (!take_prefix(rest, "[")) return std::nullopt;
  const auto core = take_number<uint32_t>(rest);
  const bool is_task = core && take_prefix(rest, "/") && !rest.empty() && is_digit(rest[0]);
  if (!is_task || !rest.contains(']')) return std::nullopt;
  scratch.assign("[").append(rest);
  name = scratch;
  return core;
}

// Cores are called so before what they do is told, if ever.
bool is_core(std::string_view name) {
  constexpr std::string_view kCore = "core";
  return equals_ignoring_case(name.substr(0, kCore.size()), kCore);
}

}  // namespace

void Player::add(const Line& line, uint64_t offset) {
  Line without = line;
  core_ = take_core(without.target, target_);
  take_core(without.source, source_);
  add_line(without, offset);
}

void Player::add_line(const Line& line, uint64_t offset) {
  end_ = std::max(end_, Time{line.time});
  switch (line.type.size() == 1 ? line.type.front() : '\0') {
    case 'T':
      return add_process(line, kTasks, offset);
    case 'I':
      return add_process(line, kInterrupts, offset);
    case 'R':
      return add_runnable(line, offset);
    case 'C':
      return add_core(line);
    default:
      break;
  }
  if (line.type == "SEM") return add_semaphore(line);
  if (line.type == "SIG") return add_signal(line);
  const auto* const known = std::ranges::find(kGroups, line.type, &GroupOfType::type);
  const std::string_view group_name = known == std::end(kGroups) ? line.type : known->group;
  if (line.type == "STI") {
    // There are many; what they are called says what happened.
    const LaneId stimuli = group(group_name);
    value_of(shown_, line.target, stimuli);
    if (line.target == "task") delete_task(line.note, Time{line.time});
    return add_punctual(line, stimuli, line.target);
  }
  add_punctual(line, lane(group_name, line.target, LaneKind::kGroup), line.event);
}

void Player::add_process(const Line& line, std::string_view group_name, uint64_t offset) {
  Process& target = process(group_name, line.target);
  const auto* const known = std::ranges::find(kStates, line.event, &StateOfEvent::event);
  if (known == std::end(kStates)) return add_punctual(line, target.lane, line.event);
  Instance& instance = target.instances[line.target_instance];
  const bool runs_elsewhere = core_ && instance.core && *core_ != *instance.core;
  if (runs_elsewhere && known->state != kRunning) return;  // the core that it left is late
  if (line.event == "activate") {
    instance.activator = known_lane(line.source);
    instance.activated = Time{line.time};
  }
  run_on_core(line, target, known->state == kRunning || known->state == "polling");
  if (known->state == kRunning && !instance.activator.is_none()) {
    if (activation_.is_none()) activation_ = sink_.type(Category::kLink, "activation");
    sink_.give(trace::LinkEvent{.send = instance.activated,
                                .receive = Time{line.time},
                                .source = instance.activator,
                                .target = target.lane,
                                .type = activation_});
    instance.activator = LaneId::none();
  }
  change(target, instance, known->state, line, offset);
  if (known->state.empty()) target.instances.erase(line.target_instance);
}

// "delete CS[8]", of FreeRTOS.
void Player::delete_task(std::string_view note, Time time) {
  if (!take_prefix(note, "delete ")) return;
  const size_t bracket = note.rfind('[');
  const auto number =
      parse_number<uint32_t>(bracket == std::string_view::npos || !note.ends_with(']')
                                 ? std::string_view()
                                 : note.substr(bracket + 1, note.size() - bracket - 2));
  if (!number) return;
  auto* const task = processes_.find(fmt::format("[{:04}]{}", *number, note.substr(0, bracket)));
  if (task == nullptr) return;
  Process& ended = task->second;
  for (const auto& [id, instance] : ended.instances)
    end_state(ended, instance, id, std::max(time, instance.since));
  ended.instances.clear();
  Core* const on = cores_.find(ended.core) == nullptr ? nullptr : &cores_.find(ended.core)->second;
  if (on != nullptr && on->running == &ended) leave_core(*on, time);
}

void Player::change(Process& target, Instance& instance, std::string_view state, const Line& line,
                    uint64_t offset) {
  const Time now{line.time};
  if (!instance.state.empty() && now < instance.since) {
    sink_.loss("time runs backwards on a task", {offset, target.lane, now});
  } else {
    end_state(target, instance, line.target_instance, now);
  }
  instance.state = state;
  instance.since = now;
  instance.offset = offset;
  instance.core = state == kRunning ? core_ : std::nullopt;
}

void Player::end_state(const Process& target, const Instance& instance, int64_t number, Time end) {
  if (instance.state.empty()) return;
  EventTypeId& type = value_of(states_, instance.state, EventTypeId::none());
  if (type.is_none()) {
    type = sink_.type(Category::kState, instance.state, "process");
    const auto* const state = std::ranges::find(kStates, instance.state, &StateOfEvent::state);
    sink_.set_type_color(type, state->rgb);
  }
  params_.clear();
  if (number > 0) params_.add("instance", number);
  if (instance.core) params_.add("core", *instance.core);
  sink_.give(trace::StateEvent{.begin = instance.since,
                               .duration = end - instance.since,
                               .params = sink_.params(params_.whole()),
                               .lane = target.lane,
                               .type = type});
}

// The source of what a task does is its core; some loggers say the task before it instead, which
// left the same core.
void Player::run_on_core(const Line& line, Process& target, bool is_running) {
  std::string_view name;
  const auto* const before = processes_.find(line.source);
  if (const auto* const at = cores_.find(line.source)) {
    name = at->first;
  } else if (before == nullptr && is_core(line.source)) {
    name = line.source;
  }
  if (name.empty() && core_) {
    const auto* const said = cores_.find(fmt::format("Core_{}", *core_));
    if (said != nullptr) name = said->first;
  }
  if (name.empty() && before != nullptr) name = before->second.core;
  if (name.empty()) name = target.core;
  if (name.empty() && is_running && cores_.size() == 1) name = cores_.entries()[0].first;
  if (name.empty()) return;
  Core& on = core(name);
  const Time now{line.time};
  // Where it ran before, it is no longer.
  auto* const left = is_running && target.core != name ? cores_.find(target.core) : nullptr;
  if (left != nullptr && left->second.running == &target) leave_core(left->second, now);
  if (target.core != name) target.core = name;
  if (is_running) {
    leave_core(on, now);
    on.running = &target;
    on.since = now;
  } else if (on.running == &target) {
    leave_core(on, now);
  }
}

void Player::leave_core(Core& on, Time end) {
  if (on.running == nullptr) return;
  if (end >= on.since) {
    sink_.give(trace::StateEvent{.begin = on.since,
                                 .duration = end - on.since,
                                 .lane = on.lane,
                                 .type = tasks_.of(on.running->name)});
  }
  on.running = nullptr;
}

// The source of what a runnable does is the task that runs it, or, with some, its core.
Player::Process& Player::caller_of(const Line& line) {
  if (auto* const caller = processes_.find(line.source)) return caller->second;
  const auto* const at = cores_.find(line.source);
  if (at != nullptr && at->second.running != nullptr) return *at->second.running;
  return process(kTasks, line.source);
}

// On a lane below the task that runs it.
void Player::add_runnable(const Line& line, uint64_t offset) {
  Process& of = caller_of(line);
  LaneId& below = of.runnables;
  if (below.is_none()) below = sink_.add_lane({.name = "runnables", .parent = of.lane});
  const EventTypeId type = runnables_.of(line.target);
  const Time now{line.time};
  if (line.event == "start" || line.event == "resume")
    return open_.begin(below, type, now, params(line, false), offset);
  if (line.event == "terminate" || line.event == "suspend")
    return open_.end_of(below, type, now, offset);
  add_punctual(line, below, line.event);
}

// Tasks already tell what a core executes.
void Player::add_core(const Line& line) {
  Core& on = core(line.target);
  if (line.event == "execute" || line.event == "idle") return;
  const auto frequency = parse_number<double>(line.note);
  if (!line.event.starts_with("set_frequen") || !frequency)
    return add_punctual(line, on.lane, line.event);
  sink_.give(trace::VariableSample{.time = Time{line.time},
                                   .value = *frequency,
                                   .lane = on.lane,
                                   .type = sink_.type(Category::kVariable, "frequency")});
}

// A semaphore's own events are the states that it goes through; others ask it for something.
void Player::add_semaphore(const Line& line) {
  const LaneId at = lane("Semaphores", line.target, LaneKind::kQueue);
  if (line.source != line.target) return add_punctual(line, at, line.event);
  trace::StateEvent& state = semaphores_.try_emplace(at.value()).first->second;
  leave_semaphore(state, Time{line.time});
  state = {.begin = Time{line.time},
           .duration = {},
           .params = params(line, false),
           .lane = at,
           .type = sink_.type(Category::kState, valid_utf8(line.event), "semaphore")};
}

void Player::leave_semaphore(trace::StateEvent& state, Time end) {
  if (state.lane.is_none() || end < state.begin) return;
  state.duration = end - state.begin;
  sink_.give(state);
}

void Player::add_signal(const Line& line) {
  const LaneId at = lane("Signals", line.target, LaneKind::kCounter);
  const auto value = parse_number<double>(line.note);
  if (line.event != "write" || !value) return add_punctual(line, at, line.event);
  sink_.give(trace::VariableSample{
      .time = Time{line.time},
      .value = *value,
      .lane = at,
      .type = sink_.type(Category::kVariable, valid_utf8(line.target), "signal")});
}

void Player::add_punctual(const Line& line, LaneId at, std::string_view type) {
  sink_.give(trace::PunctualEvent{.time = Time{line.time},
                                  .params = params(line, line.source != line.target),
                                  .lane = at,
                                  .type = punctuals_.of(type)});
}

ParamsId Player::params(const Line& line, bool has_source) {
  params_.clear();
  if (has_source) params_.add("source", line.source);
  if (line.target_instance > 0) params_.add("instance", line.target_instance);
  if (!line.note.empty()) params_.add("note", line.note);
  return sink_.params(params_.whole());
}

LaneId Player::group(std::string_view name) {
  LaneId& at = value_of(groups_, name, LaneId::none());
  if (!at.is_none()) return at;
  const int32_t place = name == kCores ? -3 : name == kInterrupts ? -2 : name == kTasks ? -1 : 0;
  return at = sink_.add_lane({.name = valid_utf8(name), .sort_index = place});
}

LaneId Player::lane(std::string_view group_name, std::string_view name, LaneKind kind) {
  const LaneId above = group(group_name);
  LaneId& at = lanes_.try_emplace({above.value(), std::string(name)}, LaneId::none()).first->second;
  if (!at.is_none()) return at;
  at = sink_.add_lane({.name = valid_utf8(name), .parent = above, .kind = kind});
  value_of(shown_, name, at);
  return at;
}

Player::Process& Player::process(std::string_view group_name, std::string_view name) {
  Process& found = processes_.try_emplace(name, &memory_).first->second;
  if (!found.lane.is_none()) return found;
  found.lane = lane(group_name, name, LaneKind::kThread);
  found.name = name;
  return found;
}

Player::Core& Player::core(std::string_view name) {
  Core& found = value_of(cores_, name);
  if (found.lane.is_none()) found.lane = lane(kCores, name, LaneKind::kCpu);
  return found;
}

LaneId Player::known_lane(std::string_view name) {
  const auto* const it = shown_.find(name);
  return it == nullptr ? LaneId::none() : it->second;
}

void Player::finish() {
  for (auto& [name, core] : cores_.entries()) leave_core(core, end_);
  for (auto& [number, state] : semaphores_) leave_semaphore(state, end_);
  for (const auto& [name, each] : processes_.entries()) {
    for (const auto& [number, instance] : each.instances) end_state(each, instance, number, end_);
  }
  open_.finish(end_);
}

}  // namespace weft::formats::btf
