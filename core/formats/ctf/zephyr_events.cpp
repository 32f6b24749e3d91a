#include "core/formats/ctf/zephyr_events.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>

#include "core/base/text.h"

namespace weft::formats::ctf {
namespace {

using trace::Category;

constexpr std::string_view kThreads = "threads", kScheduler = "scheduler";

// What a thread does from an event on.
struct Change {
  std::string_view event, state;
  uint32_t rgb;
};
constexpr Change kChanges[] = {
    {"thread_switched_in", "running", 0x3E9B5F},
    {"thread_ready", "ready", 0xC9A227},
    {"thread_pending", "pending", 0x566174},
    {"thread_pend", "pending", 0x566174},
    {"thread_suspend", "suspended", 0x7A6C8F},
    {"thread_resume", "ready", 0xC9A227},
    {"thread_switched_out", "", 0},
    {"thread_abort", "", 0},
};

}  // namespace

bool ZephyrEvents::is_one(const bt_stream_class& stream) {
  return has_event(stream, "thread_switched_in") && has_event(stream, "isr_enter");
}

bool ZephyrEvents::add(const Event& event) {
  if (event.name == "isr_enter") {
    interrupts_.begin(interrupts(), sink_.type(Category::kState, "interrupt"), event.time,
                      ParamsId::none(), event.number);
    return true;
  }
  if (event.name == "isr_exit" || event.name == "isr_exit_to_scheduler") {
    interrupts_.end(interrupts(), event.time, event.number);
    return true;
  }
  if (event.name == "idle") {
    change(cpu(), cpu_state_, "idle", kThreads, event.time);
    return true;
  }
  const auto* const row = std::ranges::find(kChanges, event.name, &Change::event);
  if (row == std::end(kChanges)) return false;
  Thread* const thread = thread_of(event);
  if (thread == nullptr) return false;
  // A thread that runs may be said to be ready: it goes on running.
  const bool is_running =
      running_ == static_cast<uint64_t>(*integer_of(event.payload("thread_id")));
  if (is_running && row->state == "ready") return false;
  change(thread->lane, thread->state, row->state, kScheduler, event.time);
  if (row->rgb != 0) sink_.set_type_color(thread->state.type, row->rgb);
  if (event.name == "thread_switched_in") {
    running_ = static_cast<uint64_t>(*integer_of(event.payload("thread_id")));
    change(cpu(), cpu_state_, thread->name, kThreads, event.time);
  } else if (event.name == "thread_switched_out") {
    running_.reset();
    change(cpu(), cpu_state_, "", kThreads, event.time);
  }
  // A state says all of it but that it went away.
  return !row->state.empty() || event.name == "thread_switched_out";
}

LaneId ZephyrEvents::lane_of(const Event& event) {
  if (const Thread* const thread = thread_of(event)) return thread->lane;
  const auto it = running_ ? threads_.find(*running_) : threads_.end();
  return it == threads_.end() ? cpu() : it->second.lane;
}

void ZephyrEvents::finish(Time end) {
  interrupts_.finish(end);
  for (auto& [id, thread] : threads_) change(thread.lane, thread.state, "", kScheduler, end);
  if (!cpu_.is_none()) change(cpu_, cpu_state_, "", kThreads, end);
}

// Null where it tells of none.
ZephyrEvents::Thread* ZephyrEvents::thread_of(const Event& event) {
  const auto id = integer_of(event.payload("thread_id"));
  if (!id) return nullptr;
  const auto [it, is_new] = threads_.try_emplace(static_cast<uint64_t>(*id));
  Thread& thread = it->second;
  // Names end at the first zero byte.
  std::string_view said = text_of(event.payload("name"));
  said = said.substr(0, said.find('\0'));
  std::string name = said.empty() || said == "unknown" ? thread.name : valid_utf8(said);
  if (name.empty()) name = fmt::format("thread {:#x}", static_cast<uint64_t>(*id));
  if (!is_new && name == thread.name) return &thread;
  thread.name = std::move(name);
  if (threads_lane_.is_none()) threads_lane_ = sink_.add_lane({.name = "Threads"});
  const trace::Lane lane{
      .name = thread.name, .parent = threads_lane_, .kind = trace::LaneKind::kThread};
  if (is_new) {
    thread.lane = sink_.add_lane(lane);
  } else {
    sink_.update_lane(thread.lane, lane);
  }
  return &thread;
}

// What lasted until now ends; "" begins nothing.
void ZephyrEvents::change(LaneId lane, Lasting& state, std::string_view name,
                          std::string_view group, Time time) {
  const EventTypeId next =
      name.empty() ? EventTypeId::none() : sink_.type(Category::kState, valid_utf8(name), group);
  if (next == state.type) return;
  if (!state.type.is_none() && state.since <= time) {
    const trace::StateEvent given{
        .begin = state.since, .duration = time - state.since, .lane = lane, .type = state.type};
    sink_.states({&given, 1});
  }
  state = {next, time};
}

LaneId ZephyrEvents::cpu() {
  if (cpu_.is_none())
    cpu_ = sink_.add_lane({.name = "CPU", .kind = trace::LaneKind::kCpu, .sort_index = -1});
  return cpu_;
}

LaneId ZephyrEvents::interrupts() {
  if (interrupts_lane_.is_none())
    interrupts_lane_ = sink_.add_lane({.name = "interrupts", .parent = cpu()});
  return interrupts_lane_;
}

}  // namespace weft::formats::ctf
