#include "core/formats/kernel/ctf/zephyr_events.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "core/base/text.h"
#include "core/formats/base/binary.h"
#include "core/formats/kernel/ctf/pairs.h"
#include "core/trace/task_colors.h"

namespace weft::formats::ctf {
namespace {

using trace::Category;

constexpr std::string_view kThreads = "threads", kScheduler = "scheduler", kCalls = "calls",
                           kInterrupt = "interrupt";
constexpr std::string_view kReady = "ready";

std::optional<uint64_t> thread_id_of(const Event& event) {
  const auto id = integer_of(event.payload("thread_id"));
  return id ? std::optional(static_cast<uint64_t>(*id)) : std::nullopt;
}

// The event of 2.x says by a number what is called; later each call has events of its own.
std::string name_of_call(std::string_view known, const Event& event) {
  if (known.empty()) {
    const std::string_view label = text_of(event.payload("id"));
    return label.empty() ? fmt::format("call {}", integer_of(event.payload("id")).value_or(-1))
                         : valid_utf8(label);
  }
  const std::string_view of = until_zero(text_of(event.payload("name")));  // of sys_init
  return of.empty() ? std::string(known) : fmt::format("{} {}", known, valid_utf8(of));
}

// The state does not show a call's result, so the end stays an event, too.
bool has_result(const Event& event) {
  return event.payload("ret") != nullptr || event.payload("result") != nullptr;
}

bool puts_to_sleep(std::string_view call) {
  return call == "SLEEP" || call == "k_sleep" || call == "thread_msleep" || call == "thread_usleep";
}

}  // namespace

// The state of a thread after an event.
struct ThreadChange {
  enum class Kind : uint8_t { kIn, kOut, kBecomes };
  std::string_view event, state;
  uint32_t rgb;
  Kind kind = Kind::kBecomes;
};

namespace {

constexpr ThreadChange kChanges[] = {
    {"thread_switched_in", "running", trace::kRunsRgb, ThreadChange::Kind::kIn},
    {"thread_switched_out", "", 0, ThreadChange::Kind::kOut},
    {"thread_ready", kReady, trace::kCouldRunRgb},
    {"thread_sched_ready", kReady, trace::kCouldRunRgb},
    {"thread_pending", "pending", trace::kWaitsRgb},
    {"thread_pend", "pending", trace::kWaitsRgb},
    {"thread_sched_pend", "pending", trace::kWaitsRgb},
    {"thread_suspend", "suspended", trace::kIsStoppedRgb},
    {"thread_sched_suspend", "suspended", trace::kIsStoppedRgb},
    {"thread_resume", kReady, trace::kCouldRunRgb},
    {"thread_sched_resume", kReady, trace::kCouldRunRgb},
    {"thread_abort", "", 0},
    {"thread_sched_abort", "", 0},
};

}  // namespace

bool ZephyrEvents::is_one(const bt_stream_class& stream) {
  return has_event(stream, "thread_switched_in") && has_event(stream, "isr_enter");
}

ZephyrEvents::Meaning ZephyrEvents::meaning_of(std::string_view name,
                                               const bt_stream_class& stream) {
  using Kind = Meaning::Kind;
  if (name == "isr_enter") return {.kind = Kind::kInterrupt, .call = {}};
  if (name == "isr_exit" || name == "isr_exit_to_scheduler")
    return {.kind = Kind::kInterruptEnd, .call = {}};
  if (name == "idle") return {.kind = Kind::kIdle, .call = {}};
  if (name == "named_event") return {.kind = Kind::kNamed, .call = {}};
  if (name == "start_call") return {.kind = Kind::kCall, .call = {}};
  if (name == "end_call") return {.kind = Kind::kReturn, .call = {}};
  const auto* const row = std::ranges::find(kChanges, name, &ThreadChange::event);
  if (row != std::end(kChanges)) return {.kind = Kind::kThread, .change = row, .call = {}};
  if (auto half = half_of_pair(name, stream))
    return {.kind = half->is_begin ? Kind::kCall : Kind::kReturn, .call = std::move(half->stem)};
  return {};
}

bool ZephyrEvents::add(const Meaning& meaning, const Event& event) {
  switch (meaning.kind) {
    case Meaning::Kind::kNone:
      return false;
    case Meaning::Kind::kThread:
      return change_thread(*meaning.change, event);
    case Meaning::Kind::kInterrupt:
      open_.begin(interrupts(), sink_.type(Category::kState, kInterrupt), event.time,
                  ParamsId::none(), event.number);
      ++interrupts_open_;
      return true;
    case Meaning::Kind::kInterruptEnd:
      open_.end_of(interrupts(), sink_.type(Category::kState, kInterrupt), event.time,
                   event.number);
      if (interrupts_open_ > 0) --interrupts_open_;
      return true;
    case Meaning::Kind::kIdle:
      change(cpu(), cpu_state_, "idle", kThreads, event.time);
      return true;
    case Meaning::Kind::kCall:
      call(meaning, event);
      return true;
    case Meaning::Kind::kReturn:
      call(meaning, event);
      return !has_result(event);
    case Meaning::Kind::kNamed: {
      const std::string name = valid_utf8(until_zero(text_of(event.payload("name"))));
      if (name.empty()) return false;
      sink_.give(trace::PunctualEvent{.time = event.time,
                                      .params = params_(event),
                                      .lane = here(),
                                      .type = sink_.type(Category::kPunctual, name)});
      return true;
    }
  }
  return false;
}

// A thread says that it will wait, and goes on running until the CPU leaves it.
bool ZephyrEvents::change_thread(const ThreadChange& change, const Event& event) {
  Thread* const thread = thread_of(event);
  if (thread == nullptr) return false;
  using Kind = ThreadChange::Kind;
  const bool is_running = running_ == thread_id_of(event);
  std::string_view state = change.state;
  if (change.kind == Kind::kBecomes && is_running) {
    thread->next_state = state == kReady ? std::string_view() : state;
    return !thread->next_state.empty();
  }
  if (change.kind == Kind::kOut)
    state = thread->next_state.empty() && thread->sleeps ? "sleeping" : thread->next_state;
  if (change.kind != Kind::kBecomes) thread->next_state = {};
  this->change(thread->lane, thread->state, state, kScheduler, event.time);
  const auto* const row = std::ranges::find(kChanges, state, &ThreadChange::state);
  if (row != std::end(kChanges) && row->rgb != 0)
    sink_.set_type_color(thread->state.type, row->rgb);
  if (change.kind == Kind::kIn) {
    running_ = thread_id_of(event);
    this->change(cpu(), cpu_state_, thread->name, kThreads, event.time);
  } else if (change.kind == Kind::kOut) {
    running_.reset();
    this->change(cpu(), cpu_state_, "", kThreads, event.time);
  }
  // A state says all of it but that it went away.
  return !state.empty() || change.kind == Kind::kOut;
}

void ZephyrEvents::call(const Meaning& meaning, const Event& event) {
  const std::string name = name_of_call(meaning.call, event);
  const bool is_begin = meaning.kind == Meaning::Kind::kCall;
  const bool is_in_interrupt = interrupts_open_ > 0;
  Thread* const thread = is_in_interrupt ? nullptr : running();
  if (thread != nullptr && puts_to_sleep(name)) thread->sleeps = is_begin;
  const LaneId lane = is_in_interrupt ? interrupts() : calls();
  const EventTypeId type = sink_.type(Category::kState, name, kCalls);
  if (is_begin) return open_.begin(lane, type, event.time, params_(event), event.number);
  open_.end_of(lane, type, event.time, event.number);
}

LaneId ZephyrEvents::lane_of(const Event& event) {
  if (const Thread* const thread = thread_of(event)) return thread->lane;
  return here();
}

// Returns null if none is known to.
ZephyrEvents::Thread* ZephyrEvents::running() {
  const auto it = running_ ? threads_.find(*running_) : threads_.end();
  return it == threads_.end() ? nullptr : &it->second;
}

// The interrupt, the thread that runs, or the CPU.
LaneId ZephyrEvents::here() {
  if (interrupts_open_ > 0) return interrupts();
  const Thread* const thread = running();
  return thread == nullptr ? cpu() : thread->lane;
}

void ZephyrEvents::finish(Time end) {
  open_.finish(end);
  for (auto& [id, thread] : threads_) change(thread.lane, thread.state, "", kScheduler, end);
  if (!cpu_.is_none()) change(cpu_, cpu_state_, "", kThreads, end);
}

// Returns null if it tells of none.
ZephyrEvents::Thread* ZephyrEvents::thread_of(const Event& event) {
  const auto id = thread_id_of(event);
  if (!id) return nullptr;
  const auto [it, is_new] = threads_.try_emplace(*id);
  Thread& thread = it->second;
  const std::string_view said = until_zero(text_of(event.payload("name")));
  std::string name = said.empty() || said == "unknown" ? thread.name : valid_utf8(said);
  if (name.empty()) name = fmt::format("thread {:#x}", *id);
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

// Ends the current state and begins another; "" begins none.
void ZephyrEvents::change(LaneId lane, Lasting& state, std::string_view name,
                          std::string_view group, Time time) {
  const EventTypeId next =
      name.empty() ? EventTypeId::none() : sink_.type(Category::kState, valid_utf8(name), group);
  if (next == state.type) return;
  if (!state.type.is_none() && state.since <= time) {
    sink_.give(trace::StateEvent{
        .begin = state.since, .duration = time - state.since, .lane = lane, .type = state.type});
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

// Below the thread that runs, or the CPU.
LaneId ZephyrEvents::calls() {
  Thread* const thread = running();
  LaneId& lane = thread == nullptr ? cpu_calls_ : thread->calls;
  if (lane.is_none()) lane = sink_.add_lane({.name = std::string(kCalls), .parent = here()});
  return lane;
}

}  // namespace weft::formats::ctf
