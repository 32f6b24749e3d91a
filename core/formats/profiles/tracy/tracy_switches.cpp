// Context switches of a Tracy trace: when each thread ran, and what each processor ran.
#include <fmt/format.h>

#include <algorithm>

#include "core/formats/base/args_text.h"
#include "core/formats/profiles/tracy/tracy_player.h"

namespace weft::formats::tracy {
namespace {

using trace::Category;

constexpr int8_t kWokenReason = -2, kFiberReason = 99, kNoStateReason = 100;

// Why Windows' threads wait: KWAIT_REASON.
std::string_view reason_of(int8_t reason) {
  constexpr std::string_view kNames[] = {"Executive",
                                         "FreePage",
                                         "PageIn",
                                         "PoolAllocation",
                                         "DelayExecution",
                                         "Suspended",
                                         "UserRequest",
                                         "WrExecutive",
                                         "WrFreePage",
                                         "WrPageIn",
                                         "WrPoolAllocation",
                                         "WrDelayExecution",
                                         "WrSuspended",
                                         "WrUserRequest",
                                         "WrEventPair",
                                         "WrQueue",
                                         "WrLpcReceive",
                                         "WrLpcReply",
                                         "WrVirtualMemory",
                                         "WrPageOut",
                                         "WrRendezvous",
                                         "WrKeyedEvent",
                                         "WrTerminated",
                                         "WrProcessInSwap",
                                         "WrCpuRateControl",
                                         "WrCalloutStack",
                                         "WrKernel",
                                         "WrResource",
                                         "WrPushLock",
                                         "WrMutex",
                                         "WrQuantumEnd",
                                         "WrDispatchInt",
                                         "WrPreempted",
                                         "WrYieldExecution",
                                         "WrFastMutex",
                                         "WrGuardedMutex",
                                         "WrRundown",
                                         "WrAlertByThreadId",
                                         "WrDeferredPreempt",
                                         "WrPhysicalFault",
                                         "WrIoRing",
                                         "WrMdlCache",
                                         "WrRcu"};
  const auto index = static_cast<uint8_t>(reason);  // negative ones are none of these
  return index < std::size(kNames) ? kNames[index] : "";
}

// The state of a thread that left its processor: Windows' states from 0, Linux's from 101.
std::string_view state_of(int8_t state) {
  constexpr std::string_view kWindows[] = {"initialized", "ready",         "running",
                                           "standby",     "terminated",    "waiting",
                                           "transition",  "deferred ready"};
  constexpr std::string_view kLinux[] = {"disk sleep", "idle",   "runnable", "sleeping", "stopped",
                                         "traced",     "waking", "dead",     "zombie",   "parked"};
  constexpr uint32_t kFirstLinux = 101;
  const uint32_t index = static_cast<uint8_t>(state);
  if (index < std::size(kWindows)) return kWindows[index];
  if (index >= kFirstLinux && index - kFirstLinux < std::size(kLinux))
    return kLinux[index - kFirstLinux];
  return "waiting";
}

}  // namespace

void Player::read_thread_switches() {
  for (uint64_t left = count(); left > 0 && in_.go_on(); --left) {
    const auto tid = in_.take<uint64_t>();
    read_switches_of(tid, count());
  }
}

void Player::read_switches_of(uint64_t tid, uint64_t left) {
  const bool has_thread = is_at_least(7, 12), has_waking_processor = is_at_least(11, 3);
  if (left == 0 || !in_.is_ok()) return;
  const LaneId lane = lanes_.below_thread(tid, "scheduling");
  const auto type = [this](std::string_view name) {
    return sink_.type(Category::kState, name, "scheduling");
  };
  const EventTypeId running = type("running"), woken = type("woken");
  int64_t time = 0, before = -1;  // when it left its processor
  int8_t state_before = 0, reason_before = 0;
  for (; left > 0 && in_.go_on(); --left) {
    const int64_t wakeup = next(time), begin = next(time);
    int64_t end = next(time);
    const auto processor = in_.take<uint8_t>();
    const auto reason = in_.take<int8_t>(), after = in_.take<int8_t>();
    const uint64_t on = has_thread ? in_.take<uint64_t>() : 0;
    const uint8_t waking = has_waking_processor ? in_.take<uint8_t>() : processor;
    if (!in_.is_ok() || !is_time(begin, lane)) continue;
    if (before >= 0 && reason_before != kFiberReason && wakeup > before) {
      ArgsText params;
      if (const auto why = reason_of(reason_before);
          !why.empty() && state_before >= 0 && state_before <= 7)
        params.add("reason", why);
      state(lane, before, wakeup, type(state_of(state_before)), params.take(), 0);
    }
    if (reason == kWokenReason && end < 0) {  // it was woken, and has not run yet
      state(lane, wakeup, std::max(wakeup, last_time_), woken, {}, 0);
      continue;
    }
    if (begin > wakeup) {
      ArgsText params;
      params.add("cpu", waking);
      state(lane, wakeup, begin, woken, params.take(), 0);
    }
    end = end_of(begin, end, lane, "time of a thread on a processor");
    ArgsText params;
    if (reason == kFiberReason) {
      params.add("thread", lanes_.thread_name(on));
    } else {
      params.add("cpu", processor);
    }
    state(lane, begin, end, running, params.take(), 0);
    before = end;
    state_before = reason == kNoStateReason ? int8_t{-1} : after;
    reason_before = reason;
  }
}

void Player::read_processors() {
  in_.take<uint64_t>();  // switches of all
  constexpr uint32_t kProcessors = 256;
  for (uint32_t i = 0; i < kProcessors && in_.go_on(); ++i) {
    int64_t time = 0;
    for (uint64_t left = count(); left > 0 && in_.go_on(); --left) {
      const int64_t begin = next(time), end = next(time);
      const uint64_t tid = all_threads_.at(in_.take<uint16_t>());
      if (!in_.is_ok()) return;
      const LaneId lane = lanes_.processor(i);
      const auto [it, is_new] = running_.try_emplace(tid);
      if (is_new) {
        ArgsText params;
        params.add("tid", tid);
        it->second.params_id = sink_.params(params.take());
        it->second.type =
            sink_.type(Category::kState, lanes_.thread_name(tid), lanes_.other_program(tid));
      }
      if (!is_time(begin, lane)) continue;
      const int64_t until = end_of(begin, end, lane, "time of a thread on a processor");
      if (!is_span(begin, until, lane)) continue;
      sink_.give(trace::StateEvent{.begin = {begin},
                                   .duration = {until - begin},
                                   .params = it->second.params_id,
                                   .lane = lane,
                                   .type = it->second.type});
    }
  }
}

}  // namespace weft::formats::tracy
