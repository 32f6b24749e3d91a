#include "core/formats/general/perfetto/samples.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/text.h"
#include "core/base/time.h"
#include "core/formats/base/args_text.h"
#include "core/formats/general/perfetto/call_stacks.h"
#include "core/formats/general/perfetto/packet_field.h"

namespace weft::formats::perfetto {
namespace {

// As StackSample numbers them.
constexpr std::string_view kModes[] = {"",           "user",       "kernel",
                                       "hypervisor", "guest user", "guest kernel"};

uint8_t mode_of_perf(uint64_t number) {
  constexpr uint8_t kOfPerf[] = {0, 2, 1, 3, 5, 4};
  return number < std::size(kOfPerf) ? kOfPerf[number] : uint8_t{0};
}

uint8_t mode_of_stack_sample(uint64_t number) {
  return number < std::size(kModes) ? static_cast<uint8_t>(number) : uint8_t{0};
}

// Frames that are written out.
bool take_frames(std::string_view stack, std::vector<StackFrame>& frames) {
  bool is_good = true;
  is_good &= for_each_field(stack, [&](const Field& each) {
    StackFrame& frame = frames.emplace_back();
    is_good &= for_each_field(each.bytes, [&](const Field& field) {
      if (field.number == 1) frame.function = field.bytes;
      if (field.number == 2) frame.file = field.bytes;
      if (field.number == 3) frame.line = field.value;
    });
    if (frame.function.empty()) frame.function = "(unknown)";
  });
  return is_good;
}

}  // namespace

bool Samples::add(const Field& data, Sequence& sequence, std::optional<Time> time,
                  uint64_t offset) {
  const bool is_known =
      data.number == kStreamingProfile || data.number == kPerfSample || data.number == kStackSample;
  if (!is_known) return false;
  bool is_good = true;
  if (data.number == kStreamingProfile) {
    is_good = add_streaming(data.bytes, sequence, offset);
  } else if (time) {
    is_good = data.number == kPerfSample ? add_perf_sample(data.bytes, sequence, *time, offset)
                                         : add_stack_sample(data.bytes, sequence, *time, offset);
  } else {
    sink_.loss("packet without a time", offset);
  }
  if (!is_good) sink_.loss("sample damaged", offset);
  return true;
}

bool Samples::add_perf_sample(std::string_view message, const Sequence& sequence, Time time,
                              uint64_t offset) {
  constexpr uint64_t kNotInScope = 4;  // of the reasons to skip a sample
  int32_t pid = -1, tid = -1;
  uint64_t callstack = 0;
  std::optional<uint64_t> skipped;
  std::vector<uint64_t> counts;
  Sample sample{.time = time, .offset = offset};
  const auto count = [&](uint64_t value) { counts.push_back(value); };
  const bool is_good = for_each_field(message, [&](const Field& field) {
    if (field.number == 1) sample.cpu = field.int32();
    if (field.number == 2) pid = field.int32();
    if (field.number == 3) tid = field.int32();
    if (field.number == 4) callstack = field.value;
    if (field.number == 5) sample.mode = mode_of_perf(field.value);
    if (field.number == 6) count(field.value);
    if (field.number == 7) for_each_number(field, count);
    if (field.number == 17 && field.value > 0)
      sink_.loss("samples lost by the kernel's buffer", offset, field.value);
    if (field.number == 18) skipped = field.value;
  });
  const auto cpu = static_cast<uint32_t>(std::max(sample.cpu, 0));
  const auto name_of_counter = [&](size_t i) {
    return i < sequence.perf_counters.size() ? std::string_view(sequence.perf_counters[i])
                                             : "counter";
  };
  for (size_t i = 0; i < counts.size(); ++i)
    counters_.sample(lanes_.cpu(cpu), name_of_counter(i), static_cast<double>(counts[i]), time);
  if (skipped == kNotInScope) {
    sink_.note("sample of a process that was not asked for", {offset, LaneId::none(), time});
  } else if (skipped) {
    sink_.loss("sample without a stack: the recorder skipped it", offset);
  } else if (tid >= 0 && callstack != 0) {
    sample.lane = lanes_.below(lanes_.task(tid, {}, pid), "samples");
    sample.stack = stack_of_number(sequence, callstack);
    const bool is_counted = !sequence.perf_counters.empty();
    sample.type = sink_.type(trace::Category::kPunctual, is_counted ? name_of_counter(0) : "sample",
                             "samples");
    add_sample(sample);
  } else if (tid >= 0 && counts.empty()) {
    sink_.loss("sample of an unknown stack", offset);
  }
  return is_good;
}

// Thread, processor and stack are inline or interned.
bool Samples::add_stack_sample(std::string_view message, const Sequence& sequence, Time time,
                               uint64_t offset) {
  std::string_view context, execution;
  bool is_good = true;
  Sample sample{.time = time, .offset = offset};
  std::vector<StackFrame> frames;
  uint64_t callstack = 0;
  is_good &= for_each_field(message, [&](const Field& field) {
    if (field.number == 1) context = field.bytes;
    if (field.number == 2) context = sequence.text(Interned::kTaskContext, field.value);
    if (field.number == 3) execution = field.bytes;
    if (field.number == 4) execution = sequence.text(Interned::kExecutionContext, field.value);
    if (field.number == 5) is_good &= take_frames(field.bytes, frames);
    if (field.number == 6) callstack = field.value;
    if (field.number == 11) sample.weight = field.value;
  });
  is_good &= for_each_field(execution, [&](const Field& field) {
    if (field.number == 2) sample.cpu = field.int32();
    if (field.number == 3) sample.mode = mode_of_stack_sample(field.value);
  });
  sample.stack =
      frames.empty() ? stack_of_number(sequence, callstack) : number_of(std::move(frames));
  sample.lane = lanes_.below(lane_of_context(context, sequence), "samples");
  sample.type = sink_.type(trace::Category::kPunctual, "sample", "samples");
  add_sample(sample);
  return is_good;
}

// A thread; a fiber or the like of a process; a process; nobody.
LaneId Samples::lane_of_context(std::string_view message, const Sequence& sequence) {
  int32_t pid = -1, tid = -1;
  uint64_t async = 0;
  for_each_field(message, [&](const Field& field) {
    if (field.number == 2) pid = field.int32();
    if (field.number == 3) tid = field.int32();
    if (field.number == 4) async = field.value;
  });
  const LaneId process = pid < 0 ? counters_.group("Samples") : lanes_.process(pid);
  if (async != 0) {
    std::string name = fmt::format("context {}", async);
    for_each_field(sequence.text(Interned::kAsyncContext, async), [&](const Field& field) {
      if (field.number == 2) name = valid_utf8(field.bytes);
    });
    return lanes_.below(process, name, trace::LaneKind::kAsync);
  }
  return tid < 0 ? process : lanes_.task(tid, {}, pid);
}

// Times count from the sequence's thread descriptor, in microseconds of the monotonic clock.
bool Samples::add_streaming(std::string_view message, Sequence& sequence, uint64_t offset) {
  std::vector<uint64_t> stacks;
  std::vector<int64_t> deltas;
  bool is_good = true;
  is_good &= for_each_field(message, [&](const Field& field) {
    if (field.number == 1)
      is_good &= for_each_number(field, [&](uint64_t n) { stacks.push_back(n); });
    if (field.number == 2) {
      is_good &=
          for_each_number(field, [&](uint64_t n) { deltas.push_back(static_cast<int64_t>(n)); });
    }
  });
  if (!sequence.thread) {
    sink_.loss("samples of an unknown thread", offset, std::max<size_t>(stacks.size(), 1));
    return is_good;
  }
  ThreadReference& thread = *sequence.thread;
  const LaneId lane = lanes_.below(lanes_.task(thread.tid, {}, thread.pid), "samples");
  for (size_t i = 0; i < std::min(stacks.size(), deltas.size()); ++i) {
    constexpr int64_t kMostUs = INT64_MAX / kNsPerUs;
    thread.time_us = std::clamp<int64_t>(saturating_add(thread.time_us, deltas[i]), 0, kMostUs);
    const auto ns = static_cast<uint64_t>(thread.time_us * kNsPerUs);
    const auto time = clocks_.time_of(sequence.id, Clocks::kMonotonic, ns);
    add_sample({.time = time.value_or(Time{static_cast<int64_t>(ns)}),
                .offset = offset,
                .lane = lane,
                .stack = stack_of_number(sequence, stacks[i])});
  }
  return is_good && stacks.size() == deltas.size();
}

// Most stacks come again, by the number that they were interned with.
uint32_t Samples::stack_of_number(const Sequence& sequence, uint64_t callstack_iid) {
  KnownStacks& known = known_[sequence.id];
  if (known.version != sequence.version) known.numbers.clear();
  known.version = sequence.version;
  const auto it = known.numbers.find(callstack_iid);
  if (it != known.numbers.end()) return it->second;
  const uint32_t number = number_of(stack_of(sequence, callstack_iid));
  // (What waited may have been shown to make room.)
  if (!stacks_.is_empty(number)) known_[sequence.id].numbers.emplace(callstack_iid, number);
  return number;
}

uint32_t Samples::number_of(std::vector<StackFrame> frames) {
  if (stacks_.bytes() >= most_stack_bytes_) {
    shown_early_ += waiting_.size();
    give_held();
  }
  return stacks_.number_of(std::move(frames), UINT64_MAX);
}

void Samples::add_sample(const Sample& sample) {
  if (stacks_.is_empty(sample.stack)) {
    const trace::LossPlace place(sample.offset);
    return sink_.loss("sample of an unknown stack", place);
  }
  waiting_.push_back(sample);
  if (waiting_.size() < most_waiting_) return;
  shown_early_ += waiting_.size();
  give_held();
}

void Samples::show(const Sample& sample) {
  const StackTable::Shown& stack = stacks_.shown(sample.stack);
  ArgsText args;
  if (sample.cpu >= 0) args.add("cpu", sample.cpu);
  if (sample.mode != 0) args.add("mode", kModes[sample.mode]);
  if (sample.weight != 0) args.add("weight", sample.weight);
  if (!stack.sources.is_empty()) {
    args.name("callstack");
    args.value_of(stack.sources);
  }
  if (!args.is_empty() && !sample.type.is_none())
    sink_.give(trace::PunctualEvent{.time = sample.time,
                                    .params = sink_.params(args.take()),
                                    .lane = sample.lane,
                                    .type = sample.type});
  Thread& thread = threads_
                       .try_emplace(sample.lane.value(),
                                    stacks::SampledStacks(timeline_, sample.lane), sample.time)
                       .first->second;
  if (sample.time < thread.last)
    sink_.note("sample before the one before it", {sample.offset, sample.lane, sample.time});
  thread.last = sample.time;
  thread.stacks.add(sample.time, stack.types);
}

void Samples::give_held() {
  for (const Sample& sample : waiting_) show(sample);
  waiting_.clear();
  stacks_.clear();
  known_.clear();
}

void Samples::finish() {
  give_held();
  if (shown_early_ > 0 && !symbols_.is_empty())
    sink_.note("samples beyond the memory: without the names that stand behind them",
               trace::LossPlace::nowhere(), shown_early_);
  for (auto& [lane, thread] : threads_) thread.stacks.finish();
  timeline_.finish();
}

}  // namespace weft::formats::perfetto
