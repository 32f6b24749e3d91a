#include "core/formats/profiles/go/go_player.h"

#include <fmt/core.h>

#include <algorithm>

#include "core/base/saturating.h"
#include "core/base/text.h"
#include "core/base/time.h"
#include "core/formats/base/args_text.h"
#include "core/trace/task_colors.h"

namespace weft::formats::go {
namespace {

using trace::Category;
using trace::LaneKind;

constexpr std::string_view kRunning = "running", kRunnable = "runnable", kInCall = "system call",
                           kWaiting = "waiting";

constexpr stacks::StateColor kColors[] = {{kRunning, trace::kRunsRgb},
                                          {kRunnable, trace::kCouldRunRgb},
                                          {kInCall, trace::kCannotBeWokenRgb},
                                          {kWaiting, trace::kWaitsRgb},
                                          {"sleeping", trace::kWaitsRgb}};

// For events without a processor, until Go 1.21.
constexpr uint64_t kNoProcessor = ~uint64_t{0};

}  // namespace

void Player::play(const Event& event) {
  const auto ticks = static_cast<uint64_t>(event.time.ticks);
  const uint64_t rate = knowledge_.ticks_per_second;
  now_ = {rate == 0 ? saturated(ticks) : saturating_scale(ticks, kNsPerSecond, rate)};
  end_ = std::max(end_, now_);
  if (event.action <= Action::kProcSteal) return play_processor(event);
  if (event.action <= Action::kSwitchEnd) return play_goroutine(event);
  if (event.action <= Action::kHeapGoal) return play_collector(event);
  play_program(event);
}

void Player::play_processor(const Event& event) {
  Runner& subject = runner(event);
  switch (event.action) {
    case Action::kProcStart:
      if (!are_processors_) subject.processor = event.subject;
      subject.has_processor = true;
      break;
    case Action::kProcStop:
      show_on_processor(subject, 0);
      subject.has_processor = are_processors_;
      break;
    case Action::kProcSteal: {
      Runner& robbed = runners_[event.other];
      if (robbed.processor != event.subject) break;
      show_on_processor(robbed, 0);
      robbed.has_processor = false;
      break;
    }
    default:
      break;
  }
}

void Player::play_goroutine(const Event& event) {
  Runner& subject = runner(event);
  switch (event.action) {
    case Action::kCreate:
      return create(event);
    case Action::kStart:
      return start(event);
    case Action::kEnd:
      return stop(event, {});
    case Action::kYield:
      if (const std::string why = text(event, event.text); !why.empty())
        add_punctual(here(event), why, stack(event));
      return stop(event, kRunnable, stack(event));
    case Action::kBlock: {
      const std::string why = text(event, event.text);
      return stop(event, why.empty() ? kWaiting : std::string_view(why), stack(event));
    }
    case Action::kUnblock:
      return unblock(event);
    case Action::kCall:
      subject.call = stack(event);
      if (are_processors_) return add_punctual(here(event), kInCall, subject.call);
      if (subject.goroutine != 0) change(goroutine(subject.goroutine), kInCall, subject.call);
      return;
    case Action::kCallReturns:
      if (subject.goroutine != 0) change(goroutine(subject.goroutine), kRunning);
      return;
    case Action::kCallBlocks:
      return stop(event, kInCall, subject.call);
    case Action::kCallEnds:
      if (event.subject == 0) return stop(event, kRunnable);
      return set(event.subject, kRunnable);
    case Action::kIsWaiting:
      return set(event.subject, kWaiting);
    case Action::kIsInCall:
      return set(event.subject, kInCall);
    case Action::kIsRunnable:
      return set(event.subject, kRunnable);
    case Action::kIsRunning:
      if (goroutine(event.subject).held.state != kRunning) start(event);
      return;
    case Action::kSwitch:
    case Action::kSwitchEnd:
      stop(event, event.action == Action::kSwitch ? kWaiting : std::string_view());
      return start(event);
    default:
      return;
  }
}

void Player::create(const Event& event) {
  Goroutine& made = goroutine(event.subject);
  made.name = function(event);
  show(event.subject, made);
  made.waker = here(event);
  made.woken = now_;
  change(made, kRunnable);
}

void Player::start(const Event& event) {
  if (event.subject == 0) return;
  Goroutine& started = goroutine(event.subject);
  if (!started.waker.is_none()) {
    sink_.give(trace::LinkEvent{.send = started.woken,
                                .receive = now_,
                                .source = started.waker,
                                .target = started.lane,
                                .type = sink_.type(Category::kLink, "wake-up")});
    started.waker = LaneId::none();
  }
  change(started, kRunning);
  Runner& on = runner(event);
  on.goroutine = event.subject;
  show_on_processor(on, event.subject);
}

void Player::stop(const Event& event, std::string_view state, ParamsId where) {
  Runner& on = runner(event);
  if (on.goroutine != 0) change(goroutine(on.goroutine), state, where);
  on.goroutine = 0;
  show_on_processor(on, 0);
}

void Player::unblock(const Event& event) {
  Goroutine& woken = goroutine(event.subject);
  woken.waker = here(event);
  woken.woken = now_;
  change(woken, kRunnable);
}

void Player::set(uint64_t id, std::string_view state) {
  Goroutine& subject = goroutine(id);
  // States that each generation repeats.
  const bool is_known = state == kWaiting
                            ? !subject.held.state.empty() && subject.held.state != kRunning &&
                                  subject.held.state != kRunnable
                            : subject.held.state == state;
  if (!is_known) change(subject, state);
}

void Player::change(Goroutine& subject, std::string_view state, ParamsId params) {
  subject.held.change(sink_, subject.lane, state, now_, "goroutine", kColors);
  subject.held.params = params;
}

void Player::show_on_processor(Runner& on, uint64_t id) {
  if (!on.has_processor) return;
  Processor& at = processor(on.processor);
  if (at.goroutine != 0 && now_ >= at.since) {
    const Goroutine& was = goroutine(at.goroutine);
    sink_.give(trace::StateEvent{
        .begin = at.since,
        .duration = now_ - at.since,
        .params = sink_.params(fmt::format(R"({{"goroutine":{}}})", at.goroutine)),
        .lane = at.lane,
        .type = sink_.type(Category::kState, was.name.empty() ? "goroutine" : was.name,
                           "on processor")});
  }
  at.goroutine = id;
  at.since = now_;
}

void Player::play_collector(const Event& event) {
  const auto state = [&](LaneId at, std::string_view name) {
    open_.begin(at, sink_.type(Category::kState, name, "runtime"), now_, ParamsId::none(),
                event.offset);
  };
  // Whether a generation repeats a state that continues.
  const auto goes_on = [&](LaneId at, std::string_view name) {
    if (!open_.has_open(at, sink_.type(Category::kState, name, "runtime"))) state(at, name);
  };
  switch (event.action) {
    case Action::kCollect:
      return state(lane("Garbage collection"), "garbage collection");
    case Action::kCollects:
      return goes_on(lane("Garbage collection"), "garbage collection");
    case Action::kSweeps: {
      const uint64_t on = processor(event.subject).goroutine;
      return on == 0 ? void() : goes_on(regions_of(goroutine(on)), "sweep");
    }
    case Action::kAssists:
      return goes_on(regions_of(goroutine(event.subject)), "mark assist");
    case Action::kCollected:
      return open_.end(lane("Garbage collection"), now_, event.offset);
    case Action::kStopWorld:
      return state(lane("World"), "stopped for " + text(event, event.text));
    case Action::kStartWorld:
      return open_.end(lane("World"), now_, event.offset);
    case Action::kSweep:
      return state(regions(event), "sweep");
    case Action::kAssist:
      return state(regions(event), "mark assist");
    case Action::kSwept:
      return open_.end_of(regions(event), sink_.type(Category::kState, "sweep", "runtime"), now_,
                          event.offset);
    case Action::kAssisted:
      return open_.end_of(regions(event), sink_.type(Category::kState, "mark assist", "runtime"),
                          now_, event.offset);
    case Action::kHeap:
      return sample("allocated", event.subject);
    default:
      return sample("goal", event.subject);
  }
}

void Player::play_program(const Event& event) {
  const Runner& on = runner(event);
  switch (event.action) {
    case Action::kLabel:
      if (on.goroutine == 0) return;
      goroutine(on.goroutine).label = text(event, event.text);
      return show(on.goroutine, goroutine(on.goroutine));
    case Action::kTask:
      return begin_task(event);
    case Action::kTaskEnd:
      return end_task(event.subject);
    case Action::kRegion:
    case Action::kRegionEnd: {
      const EventTypeId type = sink_.type(Category::kState, text(event, event.text), "region");
      if (event.action == Action::kRegionEnd)
        return open_.end_of(regions(event), type, now_, event.offset);
      return open_.begin(regions(event), type, now_, ParamsId::none(), event.offset);
    }
    case Action::kLog:
      return add_punctual(here(event), "log", log_of(event));
    case Action::kSample:
      return add_punctual(event.subject == 0 ? here(event) : goroutine(event.subject).lane,
                          "CPU sample", stack(event));
    default:
      return sink_.set_metadata("processors", fmt::format("{}", event.subject));
  }
}

void Player::begin_task(const Event& event) {
  const std::string name = text(event, event.text);
  end_task(event.subject);
  tasks_.emplace(event.subject,
                 Task{.lane = lane("Tasks", name.empty() ? "task" : name),
                      .begin = now_,
                      .params = sink_.params(
                          fmt::format(R"({{"task":{},"parent":{}}})", event.subject, event.other)),
                      .type = sink_.type(Category::kState, name.empty() ? "task" : name, "task")});
}

void Player::end_task(uint64_t id) {
  const auto it = tasks_.find(id);
  if (it == tasks_.end()) return;
  if (now_ >= it->second.begin) {
    sink_.give(trace::StateEvent{.begin = it->second.begin,
                                 .duration = now_ - it->second.begin,
                                 .params = it->second.params,
                                 .lane = it->second.lane,
                                 .type = it->second.type});
  }
  tasks_.erase(it);
}

ParamsId Player::log_of(const Event& event) {
  const std::string key = text(event, event.text), value = text(event, event.second_text);
  ArgsText params;
  if (!value.empty()) params.add(key.empty() ? "text" : key, value);
  return sink_.params(params.take());
}

// The event's stack, from the innermost function.
ParamsId Player::stack(const Event& event) {
  const auto frames = knowledge_.tables.stack(event.generation, event.stack);
  if (event.stack == 0 || frames.empty()) return ParamsId::none();
  const auto [it, is_new] = stacks_.try_emplace({event.generation, event.stack}, ParamsId::none());
  if (!is_new) return it->second;
  ArgsText params;
  params.name("stack");
  params.begin('[');
  for (const Frame& frame : frames) {
    const std::string file = text(event, frame.file);
    params.text(file.empty()
                    ? text(event, frame.function)
                    : fmt::format("{} {}:{}", text(event, frame.function), file, frame.line));
  }
  params.end(']');
  return it->second = sink_.params(params.take());
}

void Player::add_punctual(LaneId at, std::string_view type, ParamsId params) {
  sink_.give(trace::PunctualEvent{
      .time = now_, .params = params, .lane = at, .type = sink_.type(Category::kPunctual, type)});
}

void Player::sample(std::string_view name, uint64_t value) {
  sink_.give(trace::VariableSample{.time = now_,
                                   .value = static_cast<double>(value),
                                   .lane = lane("Heap", name, LaneKind::kCounter),
                                   .type = sink_.type(Category::kVariable, name, "heap")});
}

Player::Goroutine& Player::goroutine(uint64_t id) {
  Goroutine& found = goroutines_[id];
  if (found.lane.is_none()) show(id, found);
  return found;
}

void Player::show(uint64_t id, Goroutine& shown) {
  const std::string name = shown.name.empty() ? "goroutine" : shown.name;
  const trace::Lane described{.name = shown.label.empty()
                                          ? fmt::format("{} ({})", name, id)
                                          : fmt::format("{}: {} ({})", name, shown.label, id),
                              .parent = lane("Goroutines"),
                              .kind = LaneKind::kThread,
                              .sort_index = static_cast<int32_t>(id & 0x7FFFFFFF)};
  if (!shown.lane.is_none()) return sink_.update_lane(shown.lane, described);
  shown.lane = sink_.add_lane(described);
}

Player::Processor& Player::processor(uint64_t id) {
  Processor& found = processors_[id];
  if (found.lane.is_none())
    found.lane = sink_.add_lane({.name = fmt::format("processor {}", id),
                                 .parent = lane("Processors"),
                                 .kind = LaneKind::kCpu,
                                 .sort_index = static_cast<int32_t>(id & 0x7FFFFFFF)});
  return found;
}

Player::Runner& Player::runner(const Event& event) {
  Runner& found = runners_[event.runner];
  if (!are_processors_) return found;
  found.processor = event.runner;
  found.has_processor = event.runner != kNoProcessor;
  return found;
}

LaneId Player::here(const Event& event) {
  const Runner& on = runner(event);
  if (on.goroutine != 0) return goroutine(on.goroutine).lane;
  return on.has_processor ? processor(on.processor).lane : lane("Runtime");
}

LaneId Player::regions(const Event& event) {
  const Runner& on = runner(event);
  if (on.goroutine == 0) return lane("Runtime");
  return regions_of(goroutine(on.goroutine));
}

LaneId Player::regions_of(Goroutine& of) {
  if (of.regions.is_none()) of.regions = sink_.add_lane({.name = "regions", .parent = of.lane});
  return of.regions;
}

LaneId Player::lane(std::string_view name, std::string_view below, LaneKind kind) {
  const std::string key = below.empty() ? std::string(name) : fmt::format("{}\n{}", name, below);
  const auto it = lanes_.find(key);
  if (it != lanes_.end()) return it->second;
  const LaneId parent = below.empty() ? LaneId::none() : lane(name);
  const int32_t place = name == "Processors" ? -1 : name == "Goroutines" ? 1 : 0;
  const LaneId added = sink_.add_lane({.name = std::string(below.empty() ? name : below),
                                       .parent = parent,
                                       .kind = kind,
                                       .sort_index = below.empty() ? place : 0});
  lanes_.emplace(key, added);
  return added;
}

std::string Player::text(const Event& event, uint64_t id) const {
  if ((id & kFixedText) != 0) return std::string(kFixedTexts[id & ~kFixedText]);
  return valid_utf8(knowledge_.tables.text(event.generation, id));
}

std::string Player::function(const Event& event) const {
  const auto frames = knowledge_.tables.stack(event.generation, event.stack);
  return frames.empty() ? std::string() : text(event, frames.front().function);
}

void Player::finish() {
  now_ = std::max(now_, end_);
  for (auto& [id, on] : runners_) show_on_processor(on, 0);
  for (auto& [id, each] : goroutines_) change(each, {});
  while (!tasks_.empty()) end_task(tasks_.begin()->first);
  open_.finish(now_);
}

}  // namespace weft::formats::go
