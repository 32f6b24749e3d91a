#include "core/formats/general/perfetto/heap_profiles.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "core/base/text.h"

namespace weft::formats::perfetto {
namespace {

constexpr uint32_t kProfilePacket = 37;
constexpr uint32_t kMonotonicCoarse = 4;
constexpr size_t kBytesPerSample = 64;

}  // namespace

bool HeapProfiles::add(const Field& data, Sequence& sequence, std::optional<Time> time,
                       uint64_t offset) {
  if (Symbols::is_of(data)) {
    if (!symbols_.add(data)) sink_.loss("symbols damaged or beyond the memory", offset);
    return true;
  }
  if (data.number != kProfilePacket) return false;
  if (!add_packet(data.bytes, sequence, time, offset)) sink_.loss("heap profile damaged", offset);
  return true;
}

bool HeapProfiles::add_packet(std::string_view message, Sequence& sequence,
                              std::optional<Time> time, uint64_t offset) {
  bool is_good = true, is_continued = false;
  std::optional<uint64_t> index;
  const auto intern = [&](Interned kind, std::string_view bytes) {
    is_good &= sequence.intern_one(kind, bytes, memory_bytes_);
  };
  is_good &= for_each_field(message, [&](const Field& field) {
    switch (field.number) {
      case 1:  // one table of texts, in the older form
        for (const Interned kind :
             {Interned::kFunctionName, Interned::kMappingPath, Interned::kBuildId})
          intern(kind, field.bytes);
        break;
      case 2:
        return intern(Interned::kFrame, field.bytes);
      case 3:
        return intern(Interned::kCallstack, field.bytes);
      case 4:
        return intern(Interned::kMapping, field.bytes);
      case 5:
        is_good &= add_process(field.bytes, sequence, time, offset);
        break;
      case 6:
        is_continued = field.flag();
        break;
      case 7:
        index = field.value;
        break;
      default:
        break;
    }
  });
  Writer& writer = writers_[sequence.id];
  const bool is_gap = index && writer.index && *index > *writer.index + 1;
  if (is_gap) sink_.loss("parts of a heap profile lost", offset, *index - *writer.index - 1);
  writer.index = index;
  if (!is_continued) finish_dumps(sequence, offset);
  return is_good;
}

bool HeapProfiles::add_process(std::string_view message, Sequence& sequence,
                               std::optional<Time> time, uint64_t offset) {
  Dump dump{.heap = {}, .time = time.value_or(Time{}), .begin = {}, .samples = {}};
  uint64_t begin_ns = 0, end_ns = 0;
  const auto add_sample = [&](std::string_view bytes) {
    // Indexed by field number.
    constexpr Value kNone = kValues;
    constexpr Value kFields[] = {kNone,        kNone,  kAllocatedBytes, kFreedBytes, kNone,
                                 kAllocations, kFrees, kNone,           kMostBytes,  kMostObjects};
    Sample sample;
    const bool is_good = for_each_field(bytes, [&](const Field& field) {
      if (field.number == 1) sample.stack = field.value;
      if (field.number >= std::size(kFields) || kFields[field.number] == kNone) return;
      constexpr uint64_t kMost = INT64_MAX / 2;
      sample.values[kFields[field.number]] = static_cast<int64_t>(std::min(field.value, kMost));
    });
    kept_bytes_ += kBytesPerSample;
    if (kept_bytes_ + stacks_.bytes() <= memory_bytes_) {
      dump.samples.push_back(sample);
    } else {
      sink_.loss("samples of heaps beyond the memory", offset);
    }
    return is_good;
  };
  bool is_good = true;
  is_good &= for_each_field(message, [&](const Field& field) {
    if (field.number == 1) dump.heap.pid = field.int32();
    if (field.number == 2) is_good &= add_sample(field.bytes);
    if (field.number == 9) end_ns = field.value;
    if (field.number == 11) dump.heap.name = valid_utf8(field.bytes);
    if (field.number == 15) begin_ns = field.value;
    count_problems(field, offset);
  });
  if (dump.heap.name.empty()) dump.heap.name = "heap";
  const auto time_of = [&](uint64_t ns) {
    return ns == 0 ? std::nullopt : clocks_.time_of(sequence.id, kMonotonicCoarse, ns);
  };
  dump.time = time_of(end_ns).value_or(dump.time);
  dump.begin = time_of(begin_ns);
  writers_[sequence.id].dumps.push_back(std::move(dump));
  return is_good;
}

void HeapProfiles::count_problems(const Field& field, uint64_t offset) {
  constexpr std::pair<uint32_t, std::string_view> kProblems[] = {
      {4, "heap profile rejected: the process had one already"},
      {7, "heap profile ended early: its buffer was full"},
      {8, "heap profile ended early: its buffer was damaged"},
      {10, "heap profile ended early: it took too much of the machine"},
      {14, "heap profile ended early: the process did not answer"},
  };
  const auto* const problem =
      std::ranges::find(kProblems, field.number, &std::pair<uint32_t, std::string_view>::first);
  const bool is_there = problem != std::end(kProblems) && field.flag();
  if (is_there) sink_.loss(problem->second, offset);
}

// The stacks of a dump may come in its last packet.
void HeapProfiles::finish_dumps(Sequence& sequence, uint64_t offset) {
  uint64_t unknown = 0;
  for (Dump& dump : std::exchange(writers_[sequence.id].dumps, {})) {
    for (Sample& sample : dump.samples) {
      const uint64_t callstack = sample.stack;
      const uint64_t used = std::min(kept_bytes_ + stacks_.bytes(), memory_bytes_);
      const uint32_t number =
          stacks_.number_of(stack_of(sequence, callstack), memory_bytes_ - used);
      sample.stack = number;
      unknown += stacks_.is_empty(number) ? 1 : 0;
    }
    dumps_.push_back(std::move(dump));
  }
  if (unknown > 0) sink_.loss("sample of an unknown stack", offset, unknown);
}

void HeapProfiles::finish() {
  for (auto& [id, writer] : writers_) {
    if (!writer.dumps.empty())
      sink_.loss("heap profile that breaks off", trace::LossPlace::nowhere());
  }
  std::map<Heap, std::vector<const Dump*>> heaps;
  std::ranges::stable_sort(dumps_, {}, &Dump::time);
  for (const Dump& dump : dumps_) heaps[dump.heap].push_back(&dump);
  for (const auto& [heap, dumps] : heaps) show(heap, dumps);
  timeline_.finish();
}

void HeapProfiles::show(const Heap& heap, const std::vector<const Dump*>& dumps) {
  constexpr std::string_view kNames[kValues] = {
      "allocated (1 ns = 1 byte)", "freed (1 ns = 1 byte)",   "allocated (1 ns = 1 object)",
      "freed (1 ns = 1 object)",   "maximum (1 ns = 1 byte)", "maximum (1 ns = 1 object)"};
  const LaneId below = lanes_.below(lanes_.process(heap.pid), "heap profile: " + heap.name);
  std::map<uint64_t, Values> before;
  Time begin = dumps.front()->time;
  for (const Dump* dump : dumps) {
    begin = std::min(dump->begin.value_or(begin), dump->time);
    sink_.give(trace::StateEvent{.begin = begin,
                                 .duration = dump->time - begin,
                                 .lane = below,
                                 .type = sink_.type(trace::Category::kState, "dump", "heap")});
    begin = dump->time;
    int64_t kept = 0;
    for (const Sample& sample : dump->samples)
      kept += sample.values[kAllocatedBytes] - sample.values[kFreedBytes];
    for (size_t i = 0; i < kValues; ++i) {
      const bool is_said = std::ranges::any_of(
          dump->samples, [&](const Sample& sample) { return sample.values[i] > 0; });
      if (!is_said) continue;
      show_lane(lanes_.below(below, kNames[i]), dump->time, dump->samples,
                [&](const Sample& sample) {
                  const auto last = before.find(sample.stack);
                  return sample.values[i] - (last == before.end() ? 0 : last->second[i]);
                });
    }
    const bool is_of_moment = std::ranges::any_of(
        dump->samples, [](const Sample& sample) { return sample.values[kMostBytes] > 0; });
    if (!is_of_moment)
      counters_.sample(below, "not freed [bytes]", static_cast<double>(kept), dump->time);
    for (const Sample& sample : dump->samples) before[sample.stack] = sample.values;
  }
  const Dump& last = *dumps.back();
  constexpr std::pair<Value, Value> kKept[] = {{kAllocatedBytes, kFreedBytes},
                                               {kAllocations, kFrees}};
  for (const auto& [in, out] : kKept) {
    const auto width = [&, in = in, out = out](const Sample& sample) {
      return sample.values[in] - sample.values[out];
    };
    if (std::ranges::none_of(last.samples, [&](const Sample& s) { return width(s) > 0; })) continue;
    show_lane(lanes_.below(below, in == kAllocations ? "not freed (1 ns = 1 object)"
                                                     : "not freed (1 ns = 1 byte)"),
              last.time, last.samples, width);
  }
}

template <class Width>
void HeapProfiles::show_lane(LaneId lane, Time begin, const std::vector<Sample>& samples,
                             const Width& width) {
  Time at = begin;
  if (const auto end = ends_.find(lane); end != ends_.end()) at = std::max(at, end->second);
  for (const Sample& sample : samples) {
    const int64_t ticks = width(sample);
    if (ticks <= 0) continue;
    const Time end{saturating_add(at.ticks, ticks)};
    timeline_.add(lane, stacks_.shown(static_cast<uint32_t>(sample.stack)).types, at, end);
    at = end;
  }
  ends_[lane] = at;
}

}  // namespace weft::formats::perfetto
