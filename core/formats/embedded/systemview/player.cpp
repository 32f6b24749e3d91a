#include "core/formats/embedded/systemview/player.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <limits>
#include <span>

#include "core/base/saturating.h"
#include "core/base/text.h"
#include "core/base/time.h"
#include "core/formats/base/args_text.h"
#include "core/formats/base/binary.h"
#include "core/formats/base/text.h"
#include "core/formats/base/whole_input.h"
#include "core/trace/task_colors.h"

namespace weft::formats::systemview {
namespace {

using trace::Category;
using trace::LaneKind;

constexpr std::string_view kRunning = "running", kReady = "ready", kBlocked = "blocked";
constexpr std::string_view kCpu = "CPU", kInterrupts = "Interrupts", kTimers = "Timers",
                           kUser = "User events";

constexpr stacks::StateColor kColors[] = {
    {kRunning, trace::kRunsRgb}, {kReady, trace::kCouldRunRgb}, {kBlocked, trace::kWaitsRgb}};

constexpr size_t kMostParameters = 32;

uint64_t number_of(std::string_view& payload) { return take_varint(payload).value_or(0); }

}  // namespace

void Player::add(size_t on, const Packet& packet, uint64_t offset) {
  current_ = on;
  uint64_t& ticks = core().ticks;
  ticks += std::min(packet.ticks, std::numeric_limits<uint64_t>::max() - ticks);
  std::string_view payload = packet.payload;
  if (packet.id == kInit) return set_frequency(payload);
  if (packet.id == kSystemDescription) return describe(take_text(payload).value_or(""));
  if (packet.id == kModuleDescription) return describe_module(payload);
  if (packet.id == kTaskInfo) return name_task(payload);
  if (packet.id == kNameResource) {
    const uint64_t id = number_of(payload);
    resource_names_[id] = take_text(payload).value_or("");
    return;
  }
  if (packet.id == kPrint) return print(payload);
  if (packet.id == kEndCall) return end_call(payload);
  if (packet.id >= kFirstOfSystem) return call(packet);
  const uint64_t first = number_of(payload);
  switch (packet.id) {
    case kOverflow:
      sink_.loss("events lost: the target's buffer was full", {offset, lane(kCpu), time()}, first);
      break;
    case kInterruptEnter:
      enter_interrupt(first, offset);
      break;
    case kInterruptExit:
    case kInterruptToScheduler:
      open_.end(lane(kInterrupts), time(), offset);
      core().interrupts -= std::min(core().interrupts, 1u);
      break;
    case kTaskStartExec:
      start_task(first);
      break;
    case kTaskStopExec:
      stop_task();
      show_on_cpu(core(), "");
      break;
    case kIdle:
      stop_task();
      show_on_cpu(core(), "idle");
      break;
    case kTaskStartReady:
      wake(first);
      break;
    case kTaskStopReady:
      block(first);
      break;
    case kTaskTerminate:
      terminate(first);
      break;
    case kTimerEnter:
      begin(kTimers, name_of_resource(first, "timer"), offset);
      break;
    case kTimerExit:
      open_.end(lane(kTimers), time(), offset);
      break;
    case kUserStart:
      begin(kUser, name_of_resource(first, "event"), offset);
      break;
    case kUserStop:
      open_.end_of(lane(kUser), sink_.type(Category::kState, name_of_resource(first, "event")),
                   time(), offset);
      break;
    default:
      break;
  }
}

// The first event fixes what the trace counts; a frequency that comes later is too late.
Time Player::time() const {
  const uint64_t ticks = cores_[current_].ticks;
  return {frequency_ == 0 ? saturated(ticks) : saturating_scale(ticks, kNsPerSecond, frequency_)};
}

void Player::set_frequency(std::string_view payload) {
  const uint64_t frequency = number_of(payload), cpu = number_of(payload);
  if (has_base_ || frequency == 0) return;
  frequency_ = frequency;
  has_base_ = true;
  sink_.set_time_base(TimeBase::kNanoseconds);
  sink_.set_metadata("timestamp frequency", fmt::format("{} Hz", frequency));
  sink_.set_metadata("CPU frequency", fmt::format("{} Hz", cpu));
}

// "N=Application,D=Device,O=System,I#15=SysTick"
void Player::describe(std::string_view text) {
  while (!text.empty()) {
    const std::string_view part = take_to(text, ',');
    const size_t equals = find_any<'='>(part);
    if (equals == part.size()) continue;
    std::string_view key = part.substr(0, equals);
    const std::string value = valid_utf8(part.substr(equals + 1));
    if (key == "N") sink_.set_metadata("application", value);
    if (key == "D") sink_.set_metadata("device", value);
    if (key == "O") {
      sink_.set_metadata("operating system", value);
      read_descriptions(value);
    }
    if (!take_prefix(key, "I#")) continue;
    if (const auto number = parse_number<uint64_t>(key)) interrupt_names_[*number] = value;
  }
}

// "SYSVIEW_FreeRTOS.txt" has a line for each event of that system.
void Player::read_descriptions(const std::string& system) {
  constexpr uint64_t kMostBytes = 1 << 20;
  if (system.empty() || file_name_of(system) != system || !are_read_.insert(system).second) return;
  const auto file = text_up_to(folder_ / fmt::format("SYSVIEW_{}.txt", system), kMostBytes);
  if (!file) return;
  std::string_view text = *file;
  while (!text.empty()) describe_event(trimmed(take_to(text, '\n')), 0, {});
}

// "M=name,0 Event a=%u,1 Other": events by their number behind the module's first. Of some there is
// nothing but a name.
void Player::describe_module(std::string_view payload) {
  number_of(payload);
  const auto first = static_cast<uint32_t>(number_of(payload));
  if (first > kMostId) return;
  std::string_view text = take_text(payload).value_or("");
  std::string& module = modules_[first];
  while (!text.empty()) {
    std::string_view part = trimmed(take_to(text, ','));
    if (!part.empty() && is_digit(part.front())) {
      describe_event(part, first, module);
    } else if (take_prefix(part, "M=") || module.empty()) {
      module = valid_utf8(part);
    }
  }
}

// "49 xQueueGenericReceive xQueue=%I pvBuffer=%p": the number behind the first, the name, what the
// numbers that it has are called and how they are written.
void Player::describe_event(std::string_view text, uint32_t first, std::string_view module) {
  const auto number = take_number<uint32_t>(text);
  const std::string_view name = take_word(text);
  if (!number || name.empty() || *number > kMostId) return;
  Description& event = events_[first + *number];
  event = {.name =
               valid_utf8(module.empty() ? std::string(name) : fmt::format("{}.{}", module, name))};
  while (event.parameters.size() < kMostParameters) {
    std::string_view word = take_word(text);
    if (word.empty() || word.starts_with('|')) return;  // behind it: what the call returns
    const std::string_view parameter = take_to(word, '=');
    if (!take_prefix(word, "%") || word.empty()) continue;
    event.parameters.push_back({valid_utf8(parameter), word.front()});
  }
}

void Player::name_task(std::string_view payload) {
  const uint64_t id = number_of(payload), priority = number_of(payload);
  Task& named = task(id);
  const std::string name = valid_utf8(take_text(payload).value_or(""));
  if (name.empty()) return;
  named.name = name;
  sink_.update_lane(named.lane, {.name = fmt::format("{} (priority {})", name, priority),
                                 .parent = tasks_lane(),
                                 .kind = LaneKind::kThread});
}

void Player::start_task(uint64_t id) {
  Core* const before = core_of(id);
  if (before != &core()) stop_task();
  if (before != nullptr && before != &core()) {
    before->running.reset();
    show_on_cpu(*before, "");
  }
  Task& started = task(id);
  core().running = id;
  started.is_ready = true;
  if (!started.waker.is_none()) {
    sink_.give(trace::LinkEvent{.send = started.woken,
                                .receive = time(),
                                .source = started.waker,
                                .target = started.lane,
                                .type = sink_.type(Category::kLink, "wake-up")});
    started.waker = LaneId::none();
  }
  if (started.held.state != kRunning) change(started, kRunning);
  show_on_cpu(core(), started.name);
}

void Player::stop_task() {
  if (!core().running) return;
  Task& stopped = task(*core().running);
  core().running.reset();
  change(stopped, stopped.is_ready ? kReady : kBlocked);
}

void Player::wake(uint64_t id) {
  const LaneId waker = here();
  Task& woken = task(id);
  const bool is_news = !woken.is_ready || woken.held.state.empty();
  woken.is_ready = true;
  if (core_of(id) != nullptr || !is_news) return;
  woken.waker = waker;
  woken.woken = time();
  change(woken, kReady);
}

// It runs on until another does.
void Player::block(uint64_t id) {
  Task& blocked = task(id);
  blocked.is_ready = false;
  if (core_of(id) == nullptr) change(blocked, kBlocked);
}

void Player::terminate(uint64_t id) {
  Task& gone = task(id);
  change(gone, "");
  gone.is_ready = false;
  if (Core* const on = core_of(id)) {
    on->running.reset();
    show_on_cpu(*on, "");
  }
}

void Player::change(Task& changed, std::string_view state) {
  changed.held.change(sink_, changed.lane, state, time(), "task", kColors);
}

void Player::show_on_cpu(Core& core, std::string_view name) {
  if (core.shown == name) return;
  const Time now = time();
  if (!core.shown.empty()) {
    sink_.give(trace::StateEvent{.begin = core.shown_since,
                                 .duration = now - core.shown_since,
                                 .lane = lane_of(core, kCpu),
                                 .type = sink_.type(Category::kState, core.shown, "on CPU")});
  }
  core.shown = name;
  core.shown_since = now;
}

void Player::enter_interrupt(uint64_t id, uint64_t offset) {
  const auto known = interrupt_names_.find(id);
  begin(kInterrupts,
        known == interrupt_names_.end() ? fmt::format("interrupt {}", id) : known->second, offset);
  ++core().interrupts;
}

void Player::begin(std::string_view on, const std::string& name, uint64_t offset) {
  open_.begin(lane(on), sink_.type(Category::kState, name), time(), ParamsId::none(), offset);
}

void Player::print(std::string_view payload) {
  constexpr std::string_view kLevels[] = {"log", "warning", "error"};
  ArgsText text;
  text.add("message", take_text(payload).value_or(""));
  const uint64_t level = number_of(payload) & 0x3, count = number_of(payload);
  if (count > 0) {
    text.name("arguments");
    text.begin('[');
    for (uint64_t i = 0; i < count; ++i) {
      const auto value = take_varint(payload);
      if (!value) break;
      text.number(*value);
    }
    text.end(']');
  }
  add_punctual(level < std::size(kLevels) ? kLevels[level] : kLevels[0], sink_.params(text.take()));
}

void Player::call(const Packet& packet) {
  const Call made{time(), params_of(packet)};
  const LaneId at = here();
  const auto [it, is_new] = calls_.try_emplace({at.value(), packet.id}, made);
  if (is_new) return;
  give_call(at, packet.id, it->second);
  it->second = made;
}

ParamsId Player::params_of(const Packet& packet) {
  ArgsText text;
  std::string_view payload = packet.payload;
  const auto it = events_.find(packet.id);
  const std::span<const Parameter> known =
      it == events_.end() ? std::span<const Parameter>() : it->second.parameters;
  for (size_t i = 0; !payload.empty(); ++i) {
    const Parameter parameter = i < known.size() ? known[i] : Parameter{fmt::format("{}", i), 'u'};
    if (!add_value(parameter, payload, text)) break;
  }
  return sink_.params(text.take());
}

// Returns false if the value is not whole.
bool Player::add_value(const Parameter& parameter, std::string_view& payload, ArgsText& out) {
  if (parameter.form == 's') {
    const auto value = take_text(payload);
    if (value) out.add(parameter.name, valid_utf8(*value));
    return value.has_value();
  }
  const auto value = take_varint(payload);
  if (!value) return false;
  const auto task = tasks_.find(*value);
  const auto resource = resource_names_.find(*value);
  switch (parameter.form) {
    case 't':
      if (task == tasks_.end()) break;
      out.add(parameter.name, task->second.name);
      return true;
    case 'I':
      if (resource == resource_names_.end()) break;
      out.add(parameter.name, valid_utf8(resource->second));
      return true;
    case 'p':
    case 'x':
      out.add_pointer(parameter.name, *value);
      return true;
    case 'd':
      out.add(parameter.name, static_cast<int32_t>(*value));
      return true;
    default:
      break;
  }
  out.add(parameter.name, *value);
  return true;
}

void Player::end_call(std::string_view payload) {
  const auto id = static_cast<uint32_t>(number_of(payload));
  const LaneId at = here();
  const auto it = calls_.find({at.value(), id});
  if (it == calls_.end()) return;
  sink_.give(trace::StateEvent{.begin = it->second.time,
                               .duration = time() - it->second.time,
                               .params = it->second.params,
                               .lane = at,
                               .type = sink_.type(Category::kState, name_of_event(id), "call"),
                               .nesting = 1});
  calls_.erase(it);
}

void Player::give_call(LaneId at, uint32_t id, const Call& made) {
  sink_.give(
      trace::PunctualEvent{.time = made.time,
                           .params = made.params,
                           .lane = at,
                           .type = sink_.type(Category::kPunctual, name_of_event(id), "call")});
}

void Player::add_punctual(std::string_view type, ParamsId params) {
  sink_.give(trace::PunctualEvent{.time = time(),
                                  .params = params,
                                  .lane = here(),
                                  .type = sink_.type(Category::kPunctual, type)});
}

Player::Task& Player::task(uint64_t id) {
  Task& found = tasks_[id];
  if (!found.lane.is_none()) return found;
  found.name = fmt::format("task {}", id);
  found.lane =
      sink_.add_lane({.name = found.name, .parent = tasks_lane(), .kind = LaneKind::kThread});
  return found;
}

Player::Core* Player::core_of(uint64_t task) {
  const auto it = std::ranges::find(cores_, std::optional(task), &Core::running);
  return it == cores_.end() ? nullptr : &*it;
}

void Player::begin_events() {
  if (has_base_) return;
  has_base_ = true;
  sink_.set_time_base(TimeBase::kCycles);
}

LaneId Player::tasks_lane() {
  if (!tasks_lane_.is_none()) return tasks_lane_;
  begin_events();
  tasks_lane_ = sink_.add_lane({.name = "Tasks", .kind = LaneKind::kGroup});
  return tasks_lane_;
}

LaneId Player::lane_of(Core& core, std::string_view name) {
  const auto it = core.lanes.find(name);
  if (it != core.lanes.end()) return it->second;
  begin_events();
  const auto number = static_cast<size_t>(&core - cores_.data());
  const auto last = static_cast<int32_t>(number) - static_cast<int32_t>(cores_.size());
  const int32_t place = name == kCpu ? 2 * last : name == kInterrupts ? 2 * last + 1 : 0;
  const LaneId added = sink_.add_lane(
      {.name = cores_.size() > 1 ? fmt::format("{} {}", name, number) : std::string(name),
       .kind = name == kCpu ? LaneKind::kCpu : LaneKind::kGroup,
       .sort_index = place});
  core.lanes.emplace(name, added);
  return added;
}

LaneId Player::here() {
  if (core().interrupts > 0) return lane(kInterrupts);
  return core().running ? task(*core().running).lane : lane(kCpu);
}

std::string Player::name_of_event(uint32_t id) const {
  const auto it = events_.find(id);
  if (it != events_.end()) return it->second.name;
  const auto behind = modules_.upper_bound(id);
  if (behind == modules_.begin()) return fmt::format("call {}", id);
  const auto& [first, module] = *std::prev(behind);
  return fmt::format("{} event {}", module, id - first);
}

std::string Player::name_of_resource(uint64_t id, std::string_view kind) const {
  const auto it = resource_names_.find(id);
  return it == resource_names_.end() ? fmt::format("{} {}", kind, id) : valid_utf8(it->second);
}

void Player::finish() {
  for (const auto& [key, made] : calls_) give_call(LaneId(key.first), key.second, made);
  const auto last =
      static_cast<size_t>(std::ranges::max_element(cores_, {}, &Core::ticks) - cores_.begin());
  current_ = last;
  for (auto& [id, each] : tasks_) change(each, "");
  for (current_ = 0; current_ < cores_.size(); ++current_) show_on_cpu(core(), "");
  current_ = last;
  open_.finish(time());
}

}  // namespace weft::formats::systemview
