// Kernel's events that say what something is now, which become variables; and those in which
// drivers write marks, as user space does.
#include <fmt/core.h>

#include <algorithm>
#include <iterator>

#include "core/formats/general/perfetto/ftrace_bundles.h"

namespace weft::formats::perfetto {
namespace {

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
    {490, 1, 4, 5, 3, 6},  // panel_write_generic
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
  const std::vector<std::string>& names = *field_names(record.tracepoint);
  const ftrace::ValueEvent* const event = described_[record.tracepoint].values;
  if (event == nullptr) return false;
  const auto own = static_cast<uint32_t>(std::ranges::find(names, event->of) - names.begin() + 1);
  const ftrace::ValueOwner of{number(own), text(own)};
  if (event->constant) kernel_.add_value(*event, of, {}, *event->constant, at);
  for (const Field& field : fields_) {
    const bool is_number = !field.is_bytes && field.number <= names.size();
    if (!is_number || !event->is_value(names[field.number - 1])) continue;
    kernel_.add_value(*event, of, names[field.number - 1], static_cast<double>(field.integer()),
                      at);
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
