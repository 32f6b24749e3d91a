#include "core/formats/embedded/systemview/player.h"

#include <fmt/core.h>

#include <algorithm>
#include <limits>

#include "core/base/text.h"
#include "core/base/time.h"
#include "core/formats/base/args_text.h"
#include "core/formats/base/binary.h"
#include "core/formats/base/text.h"
#include "core/trace/task_colors.h"

namespace weft::formats::systemview {
namespace {

using trace::Category;
using trace::LaneKind;

constexpr std::string_view kRunning = "running", kReady = "ready", kBlocked = "blocked";
constexpr std::string_view kCpu = "CPU", kInterrupts = "Interrupts", kTimers = "Timers",
                           kUser = "User events", kTasks = "Tasks";

constexpr stacks::StateColor kColors[] = {
    {kRunning, trace::kRunsRgb}, {kReady, trace::kCouldRunRgb}, {kBlocked, trace::kWaitsRgb}};

uint64_t number_of(std::string_view& payload) { return take_varint(payload).value_or(0); }

}  // namespace

void Player::add(const Packet& packet, uint64_t offset) {
  ticks_ += std::min(packet.ticks, std::numeric_limits<uint64_t>::max() - ticks_);
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
      interrupts_ -= std::min(interrupts_, 1u);
      break;
    case kTaskStartExec:
      start_task(first);
      break;
    case kTaskStopExec:
      stop_task();
      show_on_cpu("");
      break;
    case kIdle:
      stop_task();
      show_on_cpu("idle");
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
  __extension__ using Wide = unsigned __int128;
  const Wide value =
      frequency_ == 0 ? ticks_ : static_cast<Wide>(ticks_) * kNsPerSecond / frequency_;
  return Time{static_cast<int64_t>(
      std::min<Wide>(value, static_cast<Wide>(std::numeric_limits<int64_t>::max())))};
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
    if (key == "O") sink_.set_metadata("operating system", value);
    if (!take_prefix(key, "I#")) continue;
    if (const auto number = parse_number<uint64_t>(key)) interrupt_names_[*number] = value;
  }
}

// "M=name,0 Event a=%u,1 Other": events by their number behind the module's first.
void Player::describe_module(std::string_view payload) {
  number_of(payload);
  const uint64_t first = number_of(payload);
  std::string_view text = take_text(payload).value_or("");
  std::string module;
  while (!text.empty()) {
    std::string_view part = trimmed(take_to(text, ','));
    if (part.starts_with("M=")) module = part.substr(2);
    const auto number = take_number<uint32_t>(part);
    if (!number) continue;
    const std::string_view name = take_word(part);
    if (!name.empty())
      event_names_[static_cast<uint32_t>(first) + *number] =
          valid_utf8(module.empty() ? std::string(name) : fmt::format("{}.{}", module, name));
  }
}

void Player::name_task(std::string_view payload) {
  const uint64_t id = number_of(payload), priority = number_of(payload);
  Task& named = task(id);
  const std::string name = valid_utf8(take_text(payload).value_or(""));
  if (name.empty()) return;
  named.name = name;
  sink_.update_lane(named.lane, {.name = fmt::format("{} (priority {})", name, priority),
                                 .parent = lane(kTasks),
                                 .kind = LaneKind::kThread});
}

void Player::start_task(uint64_t id) {
  if (running_ != id) stop_task();
  Task& started = task(id);
  running_ = id;
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
  show_on_cpu(started.name);
}

void Player::stop_task() {
  if (!running_) return;
  Task& stopped = task(*running_);
  running_.reset();
  change(stopped, stopped.is_ready ? kReady : kBlocked);
}

void Player::wake(uint64_t id) {
  const LaneId waker = here();
  Task& woken = task(id);
  const bool is_news = !woken.is_ready || woken.held.state.empty();
  woken.is_ready = true;
  if (running_ == id || !is_news) return;
  woken.waker = waker;
  woken.woken = time();
  change(woken, kReady);
}

// It runs on until another does.
void Player::block(uint64_t id) {
  Task& blocked = task(id);
  blocked.is_ready = false;
  if (running_ != id) change(blocked, kBlocked);
}

void Player::terminate(uint64_t id) {
  Task& gone = task(id);
  change(gone, "");
  gone.is_ready = false;
  if (running_ == id) {
    running_.reset();
    show_on_cpu("");
  }
}

void Player::change(Task& changed, std::string_view state) {
  changed.held.change(sink_, changed.lane, state, time(), "task", kColors);
}

void Player::show_on_cpu(std::string_view name) {
  if (on_cpu_ == name) return;
  const Time now = time();
  if (!on_cpu_.empty()) {
    sink_.give(trace::StateEvent{.begin = on_cpu_since_,
                                 .duration = now - on_cpu_since_,
                                 .lane = lane(kCpu),
                                 .type = sink_.type(Category::kState, on_cpu_, "on CPU")});
  }
  on_cpu_ = name;
  on_cpu_since_ = now;
}

void Player::enter_interrupt(uint64_t id, uint64_t offset) {
  const auto known = interrupt_names_.find(id);
  begin(kInterrupts,
        known == interrupt_names_.end() ? fmt::format("interrupt {}", id) : known->second, offset);
  ++interrupts_;
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
  ArgsText text;
  std::string_view payload = packet.payload;
  for (int i = 0; const auto value = take_varint(payload); ++i)
    text.add(fmt::format("{}", i), *value);
  const LaneId at = here();
  const Call made{time(), sink_.params(text.take())};
  const auto [it, is_new] = calls_.try_emplace({at.value(), packet.id}, made);
  if (is_new) return;
  give_call(at, packet.id, it->second);
  it->second = made;
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
      sink_.add_lane({.name = found.name, .parent = lane(kTasks), .kind = LaneKind::kThread});
  return found;
}

LaneId Player::lane(std::string_view name) {
  if (!has_base_) {
    has_base_ = true;
    sink_.set_time_base(TimeBase::kCycles);
  }
  const auto it = lanes_.find(name);
  if (it != lanes_.end()) return it->second;
  const int32_t place = name == kCpu ? -2 : name == kInterrupts ? -1 : 0;
  const LaneId added = sink_.add_lane({.name = std::string(name),
                                       .kind = name == kCpu ? LaneKind::kCpu : LaneKind::kGroup,
                                       .sort_index = place});
  lanes_.emplace(name, added);
  return added;
}

LaneId Player::here() {
  if (interrupts_ > 0) return lane(kInterrupts);
  return running_ ? task(*running_).lane : lane(kCpu);
}

std::string Player::name_of_event(uint32_t id) const {
  const auto it = event_names_.find(id);
  return it == event_names_.end() ? fmt::format("call {}", id) : it->second;
}

std::string Player::name_of_resource(uint64_t id, std::string_view kind) const {
  const auto it = resource_names_.find(id);
  return it == resource_names_.end() ? fmt::format("{} {}", kind, id) : valid_utf8(it->second);
}

void Player::finish() {
  for (const auto& [key, made] : calls_) give_call(LaneId(key.first), key.second, made);
  for (auto& [id, each] : tasks_) change(each, "");
  show_on_cpu("");
  open_.finish(time());
}

}  // namespace weft::formats::systemview
