#include "core/formats/general/perfetto/sequence.h"

#include <fmt/format.h>

#include <array>

#include "core/base/text.h"
#include "core/formats/general/perfetto/fields.h"

namespace weft::formats::perfetto {
namespace {

enum class Keeps : uint8_t { kNothing, kText, kMessage };

Keeps kept_of(Interned kind) {
  switch (kind) {
    case Interned::kCategory:
    case Interned::kEventName:
    case Interned::kAnnotationName:
    case Interned::kFunctionName:
    case Interned::kBuildId:
    case Interned::kMappingPath:
    case Interned::kSourcePath:
    case Interned::kLogBody:
    case Interned::kKernelSymbol:
    case Interned::kAnnotationTypeName:
    case Interned::kAnnotationText:
    case Interned::kCorrelation:
    case Interned::kHistogramName:
    case Interned::kProtoLogText:
    case Interned::kProtoLogStack:
    case Interned::kComputeArgument:
    case Interned::kViewPackage:
    case Interned::kViewWindow:
      return Keeps::kText;
    case Interned::kSourceLocation:
    case Interned::kFrame:
    case Interned::kCallstack:
    case Interned::kMapping:
    case Interned::kNativeLocation:
    case Interned::kGraphicsContext:
    case Interned::kGpuSpecification:
    case Interned::kGpuCounters:
    case Interned::kTaskContext:
    case Interned::kExecutionContext:
    case Interned::kAsyncContext:
    case Interned::kNetworkContext:
    case Interned::kWakeLock:
    case Interned::kComputeKernel:
      return Keeps::kMessage;
  }
  return Keeps::kNothing;
}

// The events of the kernel's PerfEvents.Counter, as `perf list` names them.
std::string perf_counter_name(uint64_t counter) {
  static constexpr std::array<std::string_view, 21> kNames = {"counter",
                                                              "cpu-clock",
                                                              "page-faults",
                                                              "task-clock",
                                                              "context-switches",
                                                              "cpu-migrations",
                                                              "minor-faults",
                                                              "major-faults",
                                                              "alignment-faults",
                                                              "emulation-faults",
                                                              "cpu-cycles",
                                                              "instructions",
                                                              "cache-references",
                                                              "cache-misses",
                                                              "branch-instructions",
                                                              "branch-misses",
                                                              "bus-cycles",
                                                              "stalled-cycles-frontend",
                                                              "stalled-cycles-backend",
                                                              "ref-cycles",
                                                              "dummy"};
  return std::string(kNames[counter < kNames.size() ? counter : 0]);
}

// Field numbers of a perf event; its own name is preferred.
struct PerfEventFields {
  uint32_t counter, tracepoint, raw, name;
};
bool take_perf_event(std::string_view message, const PerfEventFields& numbers, std::string& out) {
  std::string said, kind = "counter";
  const bool is_good = for_each_field(message, [&](const Field& field) {
    if (field.number == numbers.counter) kind = perf_counter_name(field.value);
    if (field.number == numbers.name) said = valid_utf8(field.bytes);
    if (field.number != numbers.tracepoint && field.number != numbers.raw) return;
    for_each_field(field.bytes, [&](const Field& inner) {
      if (inner.number == 1 && inner.is_bytes) kind = valid_utf8(inner.bytes);
      if (inner.number == 2 && !inner.is_bytes) kind = fmt::format("raw {:#x}", inner.value);
    });
  });
  out = said.empty() ? kind : said;
  return is_good;
}

bool take_perf_counters(std::string_view defaults, std::vector<std::string>& out) {
  constexpr PerfEventFields kTimebase = {4, 3, 5, 10}, kFollower = {1, 2, 3, 4};
  out.assign(1, "counter");
  bool is_good = true;
  is_good &= for_each_field(defaults, [&](const Field& field) {
    if (field.number == 1) is_good &= take_perf_event(field.bytes, kTimebase, out.front());
    if (field.number == 4) is_good &= take_perf_event(field.bytes, kFollower, out.emplace_back());
  });
  return is_good;
}

}  // namespace

void Sequence::clear() {
  is_complete = true;
  interned.clear();
  ++version;
  types.clear(), link_types.clear();
  clock = 0;
  track.reset();
  counters.clear();
  real_counters.clear();
  thread.reset();
  counter_values.clear();
}

uint64_t Sequence::intern(std::string_view message, uint64_t memory_bytes) {
  uint64_t lost = 0;
  const bool is_whole = for_each_field(message, [&](const Field& field) {
    const auto kind = static_cast<Interned>(field.number);
    if (kept_of(kind) != Keeps::kNothing && !intern_one(kind, field.bytes, memory_bytes)) ++lost;
  });
  return lost + (is_whole ? 0 : 1);
}

bool Sequence::intern_one(Interned kind, std::string_view message, uint64_t memory_bytes) {
  uint64_t iid = 0;
  std::string_view text;
  const bool is_good = for_each_field(message, [&](const Field& field) {
    if (field.number == 1) iid = field.value;
    if (field.number == 2) text = field.bytes;
  });
  if (kept_of(kind) == Keeps::kMessage) text = message;
  if (!is_good) return false;
  const InternedTexts::Kept kept = interned.set(kind, iid, text, memory_bytes);
  if (kept == InternedTexts::Kept::kInPlaceOfAnother) {
    types.clear(), link_types.clear();
    ++version;
  }
  return kept != InternedTexts::Kept::kNot;
}

bool Sequence::take_defaults(std::string_view message) {
  clock = 0;
  track.reset();
  counters.clear();
  real_counters.clear();
  perf_counters.clear();
  bool is_good = true;
  is_good &= for_each_field(message, [&](const Field& field) {
    if (field.number == 58) clock = field.uint32();
    if (field.number == 12) is_good &= take_perf_counters(field.bytes, perf_counters);
    if (field.number != 11) return;
    is_good &= for_each_field(field.bytes, [&](const Field& inner) {
      if (inner.number == 11) track = inner.value;
      if (inner.number == 31)
        is_good &= for_each_number(inner, [&](uint64_t n) { counters.push_back(n); });
      if (inner.number == 45)
        is_good &= for_each_number(inner, [&](uint64_t n) { real_counters.push_back(n); });
    });
  });
  return is_good;
}

Sequence::KnownType* Sequence::known_type(uint64_t name_iid, bool is_link) {
  constexpr uint64_t kMost = uint64_t{1} << 16;
  if (name_iid >= kMost) return nullptr;
  std::vector<KnownType>& known = is_link ? link_types : types;
  if (name_iid >= known.size()) known.resize(static_cast<size_t>(name_iid) + 1);
  return &known[static_cast<size_t>(name_iid)];
}

}  // namespace weft::formats::perfetto
