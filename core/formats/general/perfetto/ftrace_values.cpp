// Kernel's events that say what something is now, which become variables; and those in which
// drivers write marks, as user space does.
#include <fmt/core.h>

#include <algorithm>
#include <iterator>

#include "core/base/text.h"
#include "core/formats/general/perfetto/ftrace_bundles.h"

namespace weft::formats::perfetto {
namespace {

// The owner of a tracepoint's values, given by its field `of`.
enum class Whose : uint8_t {
  kSystem,
  kCpu,
  kProcess,
  kNamed,     // the one value is called by a text
  kNumbered,  // … by its field and a number
};
struct ValueEvent {
  uint32_t tracepoint;
  Whose whose;
  uint32_t of = 0;
  uint32_t only = 0;  // the field that is the value; 0: all others are
};
constexpr ValueEvent kValueEvents[] = {
    {12, Whose::kCpu, 3},           // cpu_frequency_limits
    {16, Whose::kNamed, 1, 2},      // clock_set_rate
    {322, Whose::kNamed, 1, 2},     // clk_set_rate
    {326, Whose::kProcess, 3, 2},   // oom_score_adj_update
    {332, Whose::kNumbered, 1, 2},  // gpu_frequency
    {335, Whose::kSystem, 1},       // ion_stat
    {341, Whose::kNamed, 4, 2},     // thermal_temperature
    {347, Whose::kSystem, 1},       // fastrpc_dma_stat
    {351, Whose::kSystem, 1},       // dma_heap_stat
    {421, Whose::kCpu, 4},          // sched_cpu_util_cfs
};

// Field numbers of drivers' marks; `type` is a letter as in user-space marks or, if it is 0,
// `begin` distinguishes begins from ends.
struct MarkEvent {
  uint32_t tracepoint, pid, name, type, begin, value;
};
constexpr MarkEvent kMarkEvents[] = {
    {80, 1, 2, 0, 3, 0},   // tracing_mark_write
    {333, 1, 2, 3, 5, 4},  // sde_…
    {348, 1, 4, 5, 3, 6},  // dpu_…
    {349, 1, 4, 5, 0, 6},  // g2d_…
    {350, 2, 1, 3, 0, 4},  // mali_…
    {467, 3, 4, 2, 0, 5},  // lwis_…
    {484, 1, 2, 4, 3, 5},  // samsung_…
};
constexpr uint32_t kRssStat = 313, kGpuMemTotal = 340, kRssStatThrottled = 359;

}  // namespace

bool FtraceBundles::play_value(const Record& record, const ftrace::At& at) {
  if (record.tracepoint == kRssStat || record.tracepoint == kRssStatThrottled)
    return play_process_memory(record, at);
  ftrace::Lanes& lanes = kernel_.lanes();
  if (record.tracepoint == kGpuMemTotal) {
    const auto pid = static_cast<int32_t>(number(2));
    const LaneId lane = pid > 0 ? lanes.process(pid) : lanes.below(lanes.root(), "GPU memory");
    kernel_.sample(lane, fmt::format("GPU {} memory", number(1)), static_cast<double>(number(3)),
                   at);
    return true;
  }
  const auto* const event =
      std::ranges::find(kValueEvents, record.tracepoint, &ValueEvent::tracepoint);
  if (event == std::end(kValueEvents)) return false;
  const auto of = static_cast<int32_t>(number(event->of));
  const std::vector<std::string>& names = *field_names(record.tracepoint);
  const LaneId lane = event->whose == Whose::kCpu ? lanes.cpu(static_cast<uint32_t>(of))
                      : event->whose == Whose::kProcess
                          ? lanes.process(of)
                          : lanes.below(lanes.root(), name_of(record.tracepoint));
  for (const Field& field : fields_) {
    const bool is_value = event->only != 0 ? field.number == event->only
                                           : field.number != event->of && !field.is_bytes;
    if (!is_value || field.number > names.size()) continue;
    const std::string& own = names[field.number - 1];
    const std::string name = event->whose == Whose::kNamed      ? std::string(text(event->of))
                             : event->whose == Whose::kNumbered ? fmt::format("{} {}", own, of)
                                                                : own;
    kernel_.sample(lane, name, static_cast<double>(field.integer()), at);
  }
  return true;
}

// For the running process, or one seen before with this address space.
bool FtraceBundles::play_process_memory(const Record& record, const ftrace::At& at) {
  constexpr std::string_view kNames[] = {"mem.rss.file", "mem.rss.anon", "mem.swap",
                                         "mem.rss.shmem"};
  const bool is_plain = record.tracepoint == kRssStat;
  const auto has = [&](uint32_t field) {
    return std::ranges::find(fields_, field, &Field::number) != fields_.end();
  };
  const auto member = static_cast<uint64_t>(number(is_plain ? 1 : 2));
  const int64_t size = number(is_plain ? 2 : 4);
  if (member >= std::size(kNames) || size < 0) return false;
  int32_t task = record.pid;
  if (has(is_plain ? 4 : 3)) {
    const int64_t space = number(is_plain ? 4 : 3);
    const bool is_current = number(is_plain ? 3 : 1) != 0;
    if (is_current && task > 0) space_owners_[space] = task;
    const auto owner = space_owners_.find(space);
    if (owner == space_owners_.end()) return false;
    task = owner->second;
  }
  kernel_.sample(kernel_.lanes().process_of_task(task), kNames[member], static_cast<double>(size),
                 at);
  return true;
}

// Either "B|7|name", or the same in fields.
bool FtraceBundles::play_driver_mark(const Record& record, const ftrace::At& at) {
  const auto* const event =
      std::ranges::find(kMarkEvents, record.tracepoint, &MarkEvent::tracepoint);
  if (event == std::end(kMarkEvents)) return false;
  const auto letter = static_cast<char>(event->type != 0 ? number(event->type) : 0);
  const char type = letter != 0 ? letter : number(event->begin) != 0 ? 'B' : 'E';
  std::string mark = fmt::format("{}|{}", type, number(event->pid));
  if (type != 'E') mark.append("|").append(text(event->name));
  if (type == 'C') mark.append("|").append(std::to_string(number(event->value)));
  return kernel_.add_mark(lane_of(record), mark, at);
}

}  // namespace weft::formats::perfetto
