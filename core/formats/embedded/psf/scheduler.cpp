#include "core/formats/embedded/psf/scheduler.h"

#include <algorithm>
#include <set>
#include <utility>

#include "core/trace/task_colors.h"

namespace weft::formats::psf {
namespace {

using trace::Category;

constexpr std::string_view kRunningState = "running", kReadyState = "ready",
                           kBlockedState = "blocked";
constexpr stacks::StateColor kColors[] = {{kRunningState, trace::kRunsRgb},
                                          {kReadyState, trace::kCouldRunRgb},
                                          {kBlockedState, trace::kWaitsRgb}};

}  // namespace

void Scheduler::activate(uint64_t task) {
  Core& core = cores_[core_];
  while (!core.interrupts.empty()) pop();
  if (core.running == task) return;
  stop();
  if (task == 0) return show("");
  objects_.set_kind(task, Class::kTask);
  Object& started = objects_.of(task);
  core.running = task;
  started.is_ready = true;
  end_wait(task, started);
  if (!started.woken.lane.is_none()) {
    sink_.give(trace::LinkEvent{.send = started.woken.time,
                                .receive = now_,
                                .source = started.woken.lane,
                                .target = objects_.lane(task),
                                .type = sink_.type(Category::kLink, "wake-up")});
    started.woken.lane = LaneId::none();
  }
  change(task, started, kRunningState);
  show(objects_.name_of(task));
}

void Scheduler::stop() {
  Core& core = cores_[core_];
  if (!core.running) return;
  const uint64_t task = *core.running;
  core.running.reset();
  Object& stopped = objects_.of(task);
  if (task == kNoTask) return change(task, stopped, "");  // it does not come again
  if (stopped.is_ready) return change(task, stopped, kReadyState);
  stopped.waits_since = now_;
  change(task, stopped, kBlockedState);
}

void Scheduler::enter(uint64_t interrupt, uint64_t offset) {
  const std::vector<Interrupt>& open = cores_[core_].interrupts;
  while (!open.empty() && !is_more_urgent(interrupt, open.back().address)) pop();
  push(interrupt, offset);
}

// One that is not open was interrupted before the trace began.
void Scheduler::resume(uint64_t interrupt, uint64_t offset) {
  const std::vector<Interrupt>& open = cores_[core_].interrupts;
  const bool is_open = std::ranges::find(open, interrupt, &Interrupt::address) != open.end();
  while (!open.empty() && open.back().address != interrupt) pop();
  if (!is_open) push(interrupt, offset);
}

// With an unknown priority, interrupts may interrupt each other, but not themselves.
bool Scheduler::is_more_urgent(uint64_t interrupt, uint64_t than) const {
  const Object* const inner = objects_.find(interrupt);
  const Object* const outer = objects_.find(than);
  if (inner == nullptr || outer == nullptr || !inner->is_given || !outer->is_given)
    return interrupt != than;
  return is_greater_more_urgent_ ? inner->value > outer->value : inner->value < outer->value;
}

void Scheduler::push(uint64_t interrupt, uint64_t offset) {
  constexpr size_t kMostDepth = 256;
  std::vector<Interrupt>& open = cores_[core_].interrupts;
  objects_.set_kind(interrupt, Class::kInterrupt);
  if (open.size() == kMostDepth)
    return sink_.loss("interrupts nested too deep", {offset, cpu(), now_});
  open.push_back({interrupt, now_});
}

void Scheduler::pop() {
  std::vector<Interrupt>& open = cores_[core_].interrupts;
  const Interrupt ended = open.back();
  open.pop_back();
  sink_.give(trace::StateEvent{
      .begin = ended.begin,
      .duration = std::max(now_ - ended.begin, Duration{}),
      .lane = objects_.core("Interrupts", core_),
      .type = sink_.type(Category::kState, objects_.name_of(ended.address), "interrupt"),
      .nesting = static_cast<uint32_t>(open.size())});
}

void Scheduler::wake(uint64_t task) {
  const LaneId waker = here();
  objects_.set_kind(task, Class::kTask);
  Object& woken = objects_.of(task);
  const bool is_news = !woken.is_ready || woken.held.state.empty();
  woken.is_ready = true;
  if (is_running(task)) {
    woken.waits_for.clear();
    return;
  }
  if (!is_news) return;
  end_wait(task, woken);
  woken.woken = {now_, waker};
  change(task, woken, kReadyState);
}

// It runs on until another does.
void Scheduler::suspend(uint64_t task) {
  objects_.set_kind(task, Class::kTask);
  Object& object = objects_.of(task);
  object.is_ready = false;
  if (!is_running(task)) change(task, object, kBlockedState);
}

void Scheduler::block(std::string what, ParamsId params) {
  if (is_interrupted() || !running()) return;
  Object& object = objects_.of(*running());
  object.is_ready = false;
  object.waits_for = std::move(what);
  object.wait_params = params;
}

void Scheduler::unblock() {
  if (is_interrupted() || !running()) return;
  Object& object = objects_.of(*running());
  object.is_ready = true;
  object.waits_for.clear();
}

void Scheduler::end_wait(uint64_t task, Object& object) {
  if (!object.waits_for.empty() && object.held.state == kBlockedState) {
    sink_.give(trace::StateEvent{.begin = object.waits_since,
                                 .duration = std::max(now_ - object.waits_since, Duration{}),
                                 .params = object.wait_params,
                                 .lane = objects_.lane(task),
                                 .type = sink_.type(Category::kState, object.waits_for, "wait"),
                                 .nesting = 1});
  }
  object.waits_for.clear();
}

void Scheduler::remove(uint64_t task) {
  for (uint32_t i = 0; i < kMostCores; ++i) {
    if (cores_[i].running != task) continue;
    cores_[i].running.reset();
    const uint32_t core = std::exchange(core_, i);
    show("");
    core_ = core;
  }
  Object& object = objects_.of(task);
  if (object.held.state.empty()) return;
  end_wait(task, object);
  change(task, object, "");
}

void Scheduler::stop_all() {
  for (uint32_t i = 0; i < kMostCores; ++i) {
    core_ = i;
    while (!cores_[i].interrupts.empty()) pop();
    if (!cores_[i].shown.empty()) show("");
    cores_[i].running.reset();
  }
  core_ = 0;
  for (const uint64_t task : std::set<uint64_t>(in_a_state_)) {
    Object& object = objects_.of(task);
    end_wait(task, object);
    change(task, object, "");
    object.is_ready = true;
    object.woken.lane = LaneId::none();
  }
}

bool Scheduler::is_running(uint64_t task) const {
  return std::ranges::any_of(cores_, [task](const Core& each) { return each.running == task; });
}

void Scheduler::change(uint64_t task, Object& object, std::string_view state) {
  object.held.change(sink_, objects_.lane(task), state, now_, "task", kColors);
  if (state.empty()) {
    in_a_state_.erase(task);
  } else if (objects_.find(task) != nullptr) {
    in_a_state_.insert(task);
  }
}

void Scheduler::show(std::string name) {
  Core& core = cores_[core_];
  if (!core.shown.empty()) {
    sink_.give(trace::StateEvent{.begin = core.shown_since,
                                 .duration = std::max(now_ - core.shown_since, Duration{}),
                                 .lane = cpu(),
                                 .type = sink_.type(Category::kState, core.shown, "on CPU")});
  }
  core.shown = std::move(name);
  core.shown_since = now_;
}

LaneId Scheduler::here() {
  if (is_interrupted()) return objects_.core("Interrupts", core_);
  return running() ? objects_.lane(*running()) : cpu();
}

}  // namespace weft::formats::psf
