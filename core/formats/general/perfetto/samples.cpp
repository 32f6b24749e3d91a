#include "core/formats/general/perfetto/samples.h"

#include <fmt/core.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "core/base/text.h"
#include "core/base/time.h"
#include "core/formats/general/perfetto/call_stacks.h"
#include "core/formats/general/perfetto/packet_field.h"

namespace weft::formats::perfetto {
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
  int32_t pid = -1, tid = -1;
  uint32_t cpu = 0;
  uint64_t callstack = 0;
  bool is_skipped = false;
  std::vector<uint64_t> counts;
  const auto count = [&](uint64_t value) { counts.push_back(value); };
  const bool is_good = for_each_field(message, [&](const Field& field) {
    if (field.number == 1) cpu = field.uint32();
    if (field.number == 2) pid = field.int32();
    if (field.number == 3) tid = field.int32();
    if (field.number == 4) callstack = field.value;
    if (field.number == 6) count(field.value);
    if (field.number == 7) for_each_number(field, count);
    if (field.number == 17 && field.value > 0)
      sink_.loss("samples lost by the kernel's buffer", offset, field.value);
    if (field.number == 18) is_skipped = true;
  });
  for (size_t i = 0; i < counts.size(); ++i) {
    const bool is_known = i < sequence.perf_counters.size();
    counters_.sample(lanes_.cpu(cpu), is_known ? sequence.perf_counters[i] : "counter",
                     static_cast<double>(counts[i]), time);
  }
  if (is_skipped) {
    sink_.loss("sample without a stack: the recorder skipped it", offset);
  } else if (tid >= 0 && callstack != 0) {
    add_stack(lanes_.below(lanes_.task(tid, {}, pid), "samples"), frames_of(sequence, callstack),
              time, offset);
  } else if (tid >= 0 && counts.empty()) {
    sink_.loss("sample of an unknown stack", offset);
  }
  return is_good;
}

// Thread and stack are inline or interned.
bool Samples::add_stack_sample(std::string_view message, const Sequence& sequence, Time time,
                               uint64_t offset) {
  std::string_view context;
  std::vector<std::string> frames;
  bool is_good = true;
  const auto add_frames = [&](std::string_view stack) {
    is_good &= for_each_field(stack, [&](const Field& frame) {
      std::string name = "(unknown)";
      is_good &= for_each_field(frame.bytes, [&](const Field& field) {
        if (field.number == 1) name = valid_utf8(field.bytes);
      });
      frames.push_back(std::move(name));
    });
  };
  is_good &= for_each_field(message, [&](const Field& field) {
    if (field.number == 1) context = field.bytes;
    if (field.number == 2) context = sequence.text(Interned::kTaskContext, field.value);
    if (field.number == 5) add_frames(field.bytes);
    if (field.number == 6) frames = frames_of(sequence, field.value);
  });
  add_stack(lanes_.below(lane_of_context(context, sequence), "samples"), frames, time, offset);
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
    add_stack(lane, frames_of(sequence, stacks[i]), time.value_or(Time{static_cast<int64_t>(ns)}),
              offset);
  }
  return is_good && stacks.size() == deltas.size();
}

void Samples::add_stack(LaneId lane, std::span<const std::string> frames, Time time,
                        uint64_t offset) {
  std::vector<EventTypeId> types;
  for (const std::string& frame : frames)
    types.push_back(sink_.type(trace::Category::kState, frame, "samples"));
  if (types.empty()) return sink_.loss("sample of an unknown stack", offset);
  Thread& thread = threads_.try_emplace(lane.value(), stacks::SampledStacks(timeline_, lane), time)
                       .first->second;
  if (time < thread.last) sink_.note("sample before the one before it", {offset, lane, time});
  thread.last = time;
  thread.stacks.add(time, types);
}

void Samples::finish() {
  for (auto& [lane, thread] : threads_) thread.stacks.finish();
  timeline_.finish();
}

}  // namespace weft::formats::perfetto
