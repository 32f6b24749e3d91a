#include "core/formats/general/perfetto/timeline.h"

#include <algorithm>

#include "core/formats/base/args_text.h"

namespace weft::formats::perfetto {
namespace {

constexpr uint64_t kBytesPerOpen = 128;
constexpr size_t kMostSearched = 1000, kBatch = 4096;

}  // namespace

Timeline::Timeline(trace::EventSink& sink, uint64_t memory_bytes)
    : HeldEvents(sink),
      output_(sink),
      flows_(output_, memory_bytes / 2),
      most_kept_(memory_bytes / 2 / kBytesPerOpen) {}

void Timeline::flush_when_full() {
  const size_t waiting = output_.states.size() + output_.punctuals.size() + output_.links.size() +
                         output_.variables.size();
  if (waiting >= kBatch) output_.flush();
}

inline uint32_t Timeline::stack_of(const Record& record) {
  const bool is_known = record.stack_slot != nullptr && *record.stack_slot != kNoSlot;
  if (is_known) return *record.stack_slot;
  const size_t index = stack_by_number_.insert(record.stack, stacks_.size());
  if (index == stacks_.size()) stacks_.emplace_back();
  if (record.stack_slot != nullptr) *record.stack_slot = static_cast<uint32_t>(index);
  return static_cast<uint32_t>(index);
}

// Nesting counts from 1: a complete state that covers the same time is the outer one.
// (Written where it stays: a struct that is written in parts and then read whole, to be copied, is
// what a core waits for.)
inline void Timeline::give(const Open& open, Time end, size_t depth, uint32_t end_args) {
  trace::StateEvent& state = output_.states.emplace_back();
  state.begin = open.begin;
  state.duration = end - open.begin;
  if (open.args != 0 || end_args != 0) state.params = params_of(open.args, end_args);
  state.lane = open.lane;
  state.type = open.type;
  state.nesting = static_cast<uint32_t>(depth);
  flush_when_full();
}

// An end that has a name ends only what has this name: another began before the trace.
inline bool Timeline::close(Stack& stack, const End& end) {
  std::vector<Open>& open = stack.open;
  const size_t last = open.size() - std::min(open.size(), kMostSearched);
  for (size_t i = open.size(); i > last;) {
    --i;
    if (end.name != 0 && open[i].name != 0 && open[i].name != end.name) continue;
    if (open[i].begin > end.time) continue;
    give(open[i], end.time, i + 1, end.args);
    open.erase(open.begin() + static_cast<ptrdiff_t>(i));
    stack.last_end = std::max(stack.last_end, end.time);
    --kept_;
    return true;
  }
  return false;
}

inline void Timeline::put_in_order(const Record& record) {
  const uint32_t stack = stack_of(record);
  Paired& kept = window_.add(stack, record.time, pair());
  kept.time = record.time;
  kept.offset = record.offset;
  kept.lane = stack;
  kept.on = record.lane;
  kept.type = record.type;
  kept.name = record.name;
  kept.args = record.args;
  kept.action = record.action;
}

inline void Timeline::pair(Stack& stack, const Paired& record) {
  if (record.time < stack.last_end) {
    output_.sink.note(stacks::kRanBackwards, {record.offset, record.on, record.time});
  }
  switch (record.action) {
    case Action::kChange:
      return change(stack, record);
    case Action::kEnd:
      return end(stack, record);
    default:
      return begin(stack, record);
  }
}

// One that has no type is the end of what was.
inline void Timeline::change(Stack& stack, const Paired& record) {
  const bool is_end = record.type.is_none();
  const uint32_t end_args = is_end ? record.args : 0;
  const bool is_closed = close(stack, {record.time, record.on, 0, record.offset, end_args});
  if (!is_end) return begin(stack, record);
  if (!is_closed) args_.take(record.args);
}

inline void Timeline::begin(Stack& stack, const Paired& record) {
  if (kept_ >= most_kept_) {
    args_.take(record.args);
    return output_.sink.loss("state beyond the memory for open ones",
                             {record.offset, record.on, record.time});
  }
  ++kept_;
  Open& open = stack.open.emplace_back();
  open.begin = record.time;
  open.type = record.type;
  open.name = record.name;
  open.offset = record.offset;
  open.lane = record.on;
  open.args = record.args;
}

inline void Timeline::end(Stack& stack, const Paired& record) {
  const End end{record.time, record.on, record.name, record.offset, record.args};
  if (close(stack, end)) return;
  if (kept_ >= most_kept_) {
    args_.take(record.args);
    return lose_end(end);
  }
  ++kept_;
  stack.late_ends.push_back(end);
}

void Timeline::add(const Record& record) {
  last_ = std::max(last_, record.time);
  const bool is_event = record.action != Action::kFlow && record.action != Action::kEnd;
  if (flows_.is_anything_awaited() && is_event) flows_.land(record.lane, record.time);
  switch (record.action) {
    case Action::kBegin:
    case Action::kEnd:
    case Action::kChange:
      put_in_order(record);
      break;
    case Action::kComplete:
      give_complete(record);
      break;
    case Action::kInstant:
      give_instant(record);
      break;
    case Action::kFlow:
      break;
  }
  if (record.flows != 0) add_flows(record);
}

void Timeline::add_flows(const Record& record) {
  const bool has_params = record.action == Action::kFlow && record.args != 0;
  const ParamsId params = has_params ? params_of(record.args) : ParamsId::none();
  for (FlowRef& ref : flows_of_.take(record.flows)) {
    ref.params = params;
    flows_.add(ref, record.time, record.lane, record.offset);
  }
  flush_when_full();
}

void Timeline::lose_end(const End& end) {
  output_.sink.note("end without a begin", {end.offset, end.lane, end.time});
}

ParamsId Timeline::params_of(uint32_t args, uint32_t end_args) {
  if (end_args == 0) return output_.sink.params(args_.take(args));
  const std::string end_text = args_.take(end_args);
  return output_.sink.params(args == 0 ? end_text : merged_args(args_.take(args), end_text));
}

void Timeline::give_complete(const Record& record) {
  last_ = std::max(last_, record.time + record.duration);
  output_.states.push_back({.begin = record.time,
                            .duration = record.duration,
                            .params = params_of(record.args),
                            .lane = record.lane,
                            .type = record.type});
  flush_when_full();
}

void Timeline::give_instant(const Record& record) {
  output_.punctuals.push_back({record.time, params_of(record.args), record.lane, record.type});
  flush_when_full();
}

void Timeline::give_held() {
  window_.give_all(pair());
  output_.flush();
}

void Timeline::finish() {
  give_held();
  LargeVector<Stack*> stacks;
  stacks.reserve(stacks_.size());
  for (Stack& stack : stacks_) stacks.push_back(&stack);
  const auto first = [](const Stack* stack) {
    return std::min(stack->open.empty() ? UINT64_MAX : stack->open.front().offset,
                    stack->late_ends.empty() ? UINT64_MAX : stack->late_ends.front().offset);
  };
  std::ranges::sort(stacks, {}, first);
  for (Stack* stack : stacks) finish_stack(*stack);
  stacks_.clear();
  stack_by_number_.clear();
  flows_.finish();
  output_.flush();
}

// Pairs what is left by time; open states end with the trace.
void Timeline::finish_stack(Stack& stack) {
  std::ranges::stable_sort(stack.open, {}, &Open::begin);
  std::ranges::stable_sort(stack.late_ends, {}, &End::time);
  Stack by_time;
  std::vector<Open>& open = by_time.open;
  size_t next = 0;
  for (const End& end : stack.late_ends) {
    while (next < stack.open.size() && stack.open[next].begin <= end.time)
      open.push_back(stack.open[next++]);
    if (!close(by_time, end)) lose_end(end);
  }
  open.insert(open.end(), stack.open.begin() + static_cast<ptrdiff_t>(next), stack.open.end());
  for (size_t i = 0; i < open.size(); ++i) {
    output_.sink.note("begin without an end", {open[i].offset, open[i].lane, open[i].begin});
    give(open[i], std::max(last_, open[i].begin), i + 1, 0);
  }
}

}  // namespace weft::formats::perfetto
