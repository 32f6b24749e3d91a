#include "core/formats/kernel/perf/perf_branches.h"

#include <algorithm>

namespace weft::formats::perf {
namespace {

enum class Way : uint8_t { kBegin, kEnd, kCall, kReturn, kJump };

// Flags of a branch as named in tools/perf/util/event.h.
Way way_of(std::string_view kind) {
  if (kind.starts_with("tr strt")) return Way::kBegin;
  if (kind.starts_with("tr end")) return Way::kEnd;
  for (const std::string_view call : {"call", "syscall", "int", "hw int", "async", "vmexit"}) {
    if (kind == call) return Way::kCall;
  }
  for (const std::string_view back : {"return", "sysret", "iret", "vmentry"}) {
    if (kind == back) return Way::kReturn;
  }
  return Way::kJump;
}

}  // namespace

void Branches::add(const Thread& thread, const Branch& branch, Time time, uint64_t offset) {
  Stack& stack = stack_of(thread);
  if (!advance(stack, time)) return;
  const auto function = [&](const Frame& frame) {
    return threads_.frame(frame.symbol, frame.object);
  };
  const EventTypeId untraced = threads_.frame("[untraced]", {});
  const Way way = way_of(branch.kind);
  if (way == Way::kBegin) {
    if (!stack.calls.empty() && stack.calls.back().function == untraced) pop(stack);
    return be_in(stack, function(branch.to), offset);
  }
  be_in(stack, function(branch.from), offset);
  switch (way) {
    case Way::kEnd:
      return push(stack, untraced, offset);
    case Way::kCall:
      return push(stack, function(branch.to), offset);
    case Way::kReturn:
      pop(stack);
      return be_in(stack, function(branch.to), offset);
    default:
      break;
  }
  if (!branch.is_to_entry) return be_in(stack, function(branch.to), offset);
  if (function(branch.to) == function(branch.from)) return;  // a loop
  pop(stack);                                                // a call instead of a return
  push(stack, function(branch.to), offset);
}

void Branches::add(const Thread& thread, const IndentedCall& call, Time time, uint64_t offset) {
  constexpr size_t kUntracedColumn = SIZE_MAX;
  Stack& stack = stack_of(thread);
  if (!advance(stack, time)) return;
  const Way way = call.kind.empty() ? Way::kCall : way_of(call.kind);
  const bool is_known = !call.function.empty();
  const EventTypeId function =
      is_known ? threads_.frame(call.function, {}) : threads_.frame("[untraced]", {});
  if (way == Way::kCall) {
    pop_from(stack, call.column);
    return push(stack, function, offset, call.column);
  }
  if (way == Way::kReturn) return pop_returned(stack, function, call.column);
  if (way != Way::kBegin && way != Way::kEnd) return;
  // It is in the function, and perhaps was before.
  pop_from(stack, is_known ? call.column + 1 : kUntracedColumn);
  const bool was_there = !stack.calls.empty() && stack.calls.back().column == call.column &&
                         stack.calls.back().function == function;
  if (is_known && !was_there) {
    pop_from(stack, call.column);
    push(stack, function, offset, call.column);
  }
  if (way == Way::kEnd) push(stack, threads_.frame("[untraced]", {}), offset, kUntracedColumn);
}

// Errors say their times to the nanosecond where samples may not. What runs further backwards is
// counted, as that of every sample is.
bool Branches::advance(Stack& stack, Time time) {
  constexpr Duration kLeastSaid{1000};
  if (time < stack.last - kLeastSaid) return false;
  stack.last = std::max(stack.last, time);
  return true;
}

void Branches::forget(const Thread& thread, Time time) {
  Stack& stack = stack_of(thread);
  stack.last = std::max(stack.last, time);
  while (!stack.calls.empty()) pop(stack);
}

void Branches::finish() {
  for (auto& [lane, stack] : stacks_) {
    while (!stack.calls.empty()) pop(stack);
  }
}

Branches::Stack& Branches::stack_of(const Thread& thread) {
  const auto [it, is_new] = stacks_.try_emplace(thread.lane.value());
  Stack& stack = it->second;
  if (is_new) stack.lane = sink_.add_lane({.name = "calls", .parent = thread.lane});
  return stack;
}

void Branches::push(Stack& stack, EventTypeId function, uint64_t offset, size_t column) {
  constexpr size_t kMostDepth = 1 << 14;
  if (stack.calls.size() == kMostDepth)
    return sink_.loss("states nested too deep", {offset, stack.lane, stack.last});
  stack.calls.push_back({function, stack.last, column});
}

void Branches::pop(Stack& stack) {
  const Call call = stack.calls.back();
  stack.calls.pop_back();
  sink_.give(trace::StateEvent{.begin = call.begin,
                               .duration = stack.last - call.begin,
                               .lane = stack.lane,
                               .type = call.function,
                               .nesting = static_cast<uint32_t>(stack.calls.size())});
}

void Branches::pop_from(Stack& stack, size_t column) {
  while (!stack.calls.empty() && stack.calls.back().column >= column) pop(stack);
}

// What was called before the trace began returns from a column further right than it stood in.
void Branches::pop_returned(Stack& stack, EventTypeId function, size_t column) {
  pop_from(stack, column + 1);
  if (stack.calls.empty()) return;
  const Call& innermost = stack.calls.back();
  if (innermost.column == column || innermost.function == function) pop(stack);
}

void Branches::be_in(Stack& stack, EventTypeId function, uint64_t offset) {
  const auto it =
      std::ranges::find(stack.calls.rbegin(), stack.calls.rend(), function, &Call::function);
  if (it == stack.calls.rend()) {
    if (!stack.calls.empty()) pop(stack);
    return push(stack, function, offset);
  }
  for (auto inner = it - stack.calls.rbegin(); inner > 0; --inner) pop(stack);
}

}  // namespace weft::formats::perf
