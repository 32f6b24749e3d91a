#include "core/formats/kernel/perf/perf_player.h"

#include <fmt/core.h>

#include <algorithm>
#include <span>
#include <string>
#include <utility>

#include "core/base/text.h"
#include "core/formats/base/args_text.h"
#include "core/formats/base/binary.h"
#include "core/formats/kernel/perf/perf_threads.h"

namespace weft::formats::perf {
namespace {

using trace::Category;

constexpr int32_t kKernelProcess = -1;
constexpr uint16_t kMiscExec = 1 << 13;       // the name changed since another program runs
constexpr uint16_t kMiscDescribed = 1 << 13;  // ran before perf began: its own mappings follow

// "/usr/lib/libc.so.6" as "libc.so.6", "[kernel.kallsyms]_text" as "[kernel.kallsyms]".
std::string_view file_name(std::string_view path) {
  if (path.starts_with('[')) return path.substr(0, path.find(']') + 1);
  const size_t slash = path.rfind('/');
  return slash == std::string_view::npos || slash + 1 == path.size() ? path
                                                                     : path.substr(slash + 1);
}

// "load, L1 hit": what was accessed how, as far as the processor says it. Source: linux,
// include/uapi/linux/perf_event.h, PERF_MEM_OP_ and PERF_MEM_LVL_.
std::string access_of(uint64_t data_source) {
  struct Bit {
    uint64_t bit;
    std::string_view name;
  };
  constexpr Bit kBits[] = {{0x2, "load"},
                           {0x4, "store"},
                           {0x8, "prefetch"},
                           {0x10, "execute"},
                           {0x100, "L1"},
                           {0x200, "line fill buffer"},
                           {0x400, "L2"},
                           {0x800, "L3"},
                           {0x1000, "RAM"},
                           {0x6000, "remote RAM"},
                           {0x18000, "remote cache"},
                           {0x20000, "I/O"},
                           {0x40000, "uncached"}};
  constexpr uint64_t kHit = 0x40, kMiss = 0x80;
  std::string out;
  for (const Bit& each : kBits) {
    if ((data_source & each.bit) == 0) continue;
    if (!out.empty()) out += ", ";
    out += each.name;
  }
  if ((data_source & (kHit | kMiss)) == 0) return out;
  if (!out.empty()) out += ' ';
  return out + ((data_source & kHit) != 0 ? "hit" : "miss");
}

}  // namespace

void Player::play(const Record& record, const Attributes& attributes) {
  switch (record.type) {
    case kSample:
      return add_sample(record, attributes);
    case kMmap:
    case kMmap2:
      return add_mapping(record);
    case kComm:
      return add_name(record);
    case kFork:
      return fork(record);
    case kExit:
      return exit(record);
    case kLost:
      return lose(record, "events lost: perf's buffer was full");
    case kLostSamples:
      return lose(record, "samples lost by the kernel");
    case kSwitch:
    case kSwitchCpuWide:
      return switch_tasks(record, attributes);
    case kThrottle:
      return sink_.note("samples throttled by the kernel",
                        {record.offset, LaneId::none(), record.time});
    default:
      return;
  }
}

void Player::add_sample(const Record& record, const Attributes& attributes) {
  const auto sample = sample_of(record.body, attributes);
  if (!sample) return sink_.loss("sample that does not fit its event", record.offset);
  kernel_.saw(record.time);
  const ftrace::At at{record.time, sample->cpu.value_or(0), record.offset};
  ftrace::Lanes& lanes = kernel_.lanes();
  const bool is_idle = sample->tid == 0 && sample->cpu.has_value();
  const LaneId lane =
      is_idle ? idle_task(lanes, *sample->cpu) : lanes.task(sample->tid, {}, sample->pid);
  if (add_tracepoint(*sample, attributes, at)) {
    if (!sample->callchain.empty()) add_stack(*sample, record, attributes, lane);
    return;
  }
  const std::string fields = attributes.type == kTracepoint
                                 ? formats_.fields_of(attributes.config, sample->raw)
                                 : std::string();
  std::string params;
  const auto add = [&params](std::string_view member) {
    params += params.empty() ? '{' : ',';
    params += member;
  };
  if (sample->cpu && !fields.contains(R"("cpu":)")) add(fmt::format(R"("cpu":{})", *sample->cpu));
  if (sample->period > 1) add(fmt::format(R"("period":{})", sample->period));
  const std::string details = details_of(*sample);
  for (const std::string_view members : {std::string_view(details), std::string_view(fields)})
    if (members.size() > 2) add(members.substr(1, members.size() - 2));
  if (!params.empty()) params += '}';
  // What follows the fields of an EventHeader is described in the event itself.
  const bool is_event_header =
      attributes.name.starts_with("user_events:") && fields.contains(R"("eventheader_flags")");
  const bool is_all_said = !fields.empty() && !is_event_header;
  sink_.give(trace::PunctualEvent{
      .time = record.time,
      .params = is_all_said ? sink_.params(params)
                            : sink_.params(params, std::as_bytes(std::span(sample->raw))),
      .lane = lane,
      .type = sink_.type(Category::kPunctual, valid_utf8(attributes.name))});
  add_stack(*sample, record, attributes, lane);
}

std::string Player::details_of(const Sampled& sample) {
  ArgsText out;
  if (sample.address.value_or(0) != 0) out.add_pointer("addr", *sample.address);
  if (sample.weight.value_or(0) != 0) out.add("weight", *sample.weight);
  if (sample.instruction_latency != 0) out.add("ins_lat", sample.instruction_latency);
  if (sample.stage_cycles != 0) out.add("p_stage_cyc", sample.stage_cycles);
  if (sample.data_source.value_or(0) != 0) {
    out.add_pointer("data_src", *sample.data_source);
    if (const std::string access = access_of(*sample.data_source); !access.empty())
      out.add("access", access);
  }
  if (sample.branches.value_or(0) != 0) out.add("branches", *sample.branches);
  return out.take();
}

// Addresses from the innermost on; those from 2^64 - 4095 say whose the next ones are.
void Player::add_stack(const Sampled& sample, const Record& record, const Attributes& attributes,
                       LaneId lane) {
  constexpr uint64_t kFirstMark = ~uint64_t{0} - 4094, kKernelMark = ~uint64_t{0} - 127;
  constexpr uint16_t kMiscMode = 7, kMiscKernel = 1;
  frames_.clear();
  const auto add = [&](uint64_t address, bool is_kernel) {
    const std::string name = valid_utf8(object_of(sample.pid, address, is_kernel));
    const std::string shown = name.starts_with('[') ? name : fmt::format("[{}]", name);
    frames_.push_back(sink_.type(Category::kState, shown, name));
  };
  bool is_kernel = false;
  std::string_view rest = sample.callchain;
  while (const auto address = take_little<uint64_t>(rest)) {
    if (*address < kFirstMark)
      add(*address, is_kernel);
    else
      is_kernel = *address == kKernelMark;
  }
  // Without a stack the address itself is what is known; a tracepoint tells what happened there.
  if (sample.callchain.empty() && sample.raw.empty() && sample.ip != 0)
    add(sample.ip, (record.misc & kMiscMode) == kMiscKernel);
  // A run of frames of one object tells no more than one.
  const auto [first, last] = std::ranges::unique(frames_);
  frames_.erase(first, last);
  std::ranges::reverse(frames_);
  const int64_t interval = attributes.interval.ticks;
  if (interval > 0 && (interval_.ticks == 0 || interval < interval_.ticks))
    interval_ = attributes.interval;
  const auto [it, is_new] = stacks_.try_emplace(lane.value(), timeline_, lane);
  it->second.add(record.time, frames_);
}

// As for perf, an address that no program has is the kernel's even where the stack does not say so:
// of a page that the kernel shows to programs.
std::string_view Player::object_of(int32_t pid, uint64_t address, bool is_kernel) const {
  constexpr uint64_t kFirstOfKernel = uint64_t{1} << 63;
  const stacks::AddressMap::Object* object = nullptr;
  const auto process = is_kernel ? mappings_.end() : mappings_.find(pid);
  if (process != mappings_.end()) object = process->second.find(address);
  if (object == nullptr && (is_kernel || address >= kFirstOfKernel))
    object = kernel_mappings_.find(address);
  if (object != nullptr) return object->name;
  return is_kernel ? "kernel" : "unknown";
}

// Process, thread, address, length, offset in the file; mmap2 has more; the name.
void Player::add_mapping(const Record& record) {
  constexpr size_t kName = 32, kName2 = 64;
  const std::string_view body = record.body;
  const auto pid = value_at<int32_t>(body, 0);
  const auto begin = value_at<uint64_t>(body, 8), length = value_at<uint64_t>(body, 16);
  const size_t at = record.type == kMmap ? kName : kName2;
  if (body.size() <= at) return sink_.loss("mapping that is cut", record.offset);
  if (mappings_count_ >= most_mappings_)
    return sink_.loss("mapping beyond the memory for them", record.offset);
  auto& all = pid == kKernelProcess ? kernel_mappings_ : mappings_[pid];
  mappings_count_ -= all.parts();
  all.add(begin, begin + std::min(length, UINT64_MAX - begin),
          std::string(file_name(until_zero(body.substr(at)))));
  mappings_count_ += all.parts();
}

void Player::forget_mappings(int32_t pid) {
  const auto process = mappings_.find(pid);
  if (process == mappings_.end()) return;
  mappings_count_ -= process->second.parts();
  mappings_.erase(process);
}

void Player::add_name(const Record& record) {
  const std::string_view body = record.body;
  if (body.size() <= 8) return sink_.loss("name that is cut", record.offset);
  const auto pid = value_at<int32_t>(body, 0), tid = value_at<int32_t>(body, 4);
  const std::string_view name = until_zero(body.substr(8));
  kernel_.lanes().describe_task(tid, name, pid);
  ArgsText params;
  params.add("name", name);
  const bool is_exec = (record.misc & kMiscExec) != 0;
  if (is_exec) forget_mappings(pid);
  add_instant(record, pid, tid, is_exec ? "exec" : "name", params.take());
}

// Events that describe what ran before perf began have no time.
void Player::add_instant(const Record& record, int32_t pid, int32_t tid, std::string_view name,
                         std::string_view params) {
  if (record.time <= Time{}) return;
  kernel_.saw(record.time);
  sink_.give(
      trace::PunctualEvent{.time = record.time,
                           .params = sink_.params(params),
                           .lane = kernel_.lanes().task(tid, {}, pid),
                           .type = sink_.type(Category::kPunctual, name, "life of threads")});
}

// Process, parent, thread, its parent.
void Player::exit(const Record& record) {
  const auto pid = value_at<int32_t>(record.body, 0), tid = value_at<int32_t>(record.body, 8);
  add_instant(record, pid, tid, "exit", {});
  if (record.time > Time{})
    kernel_.exit_task(tid, {record.time, ftrace::At::kNoCpu, record.offset});
}

// Process, parent, thread, its parent: a new process has what its parent had, and a new thread is
// called as that which made it, until it says another name.
void Player::fork(const Record& record) {
  const auto pid = value_at<int32_t>(record.body, 0), parent = value_at<int32_t>(record.body, 4);
  const auto tid = value_at<int32_t>(record.body, 8), maker = value_at<int32_t>(record.body, 12);
  ArgsText params;
  params.add("pid", pid);
  params.add("tid", tid);
  add_instant(record, parent, maker, "fork", params.take());
  const std::string name(kernel_.lanes().known_name_of_task(maker));
  if (!name.empty()) kernel_.lanes().describe_task(tid, name, pid);
  if (pid == parent || (record.misc & kMiscDescribed) != 0) return;
  forget_mappings(pid);  // of one that had the same number
  const auto known = mappings_.find(parent);
  if (known == mappings_.end() || mappings_count_ + known->second.parts() > most_mappings_) return;
  mappings_count_ += known->second.parts();
  stacks::AddressMap inherited = known->second;
  mappings_.emplace(pid, std::move(inherited));
}

// If the record names the other task, too, there is one for the task that leaves and one for the
// task that comes.
void Player::switch_tasks(const Record& record, const Attributes& attributes) {
  constexpr uint16_t kMiscOut = 1 << 13, kMiscPreempted = 1 << 14;
  const Ending ending = ending_of(record.body, attributes);
  if (!ending.tid || !ending.time)
    return sink_.loss("switch of nobody or at no time", record.offset);
  const bool leaves = (record.misc & kMiscOut) != 0;
  const std::string_view state =
      (record.misc & kMiscPreempted) != 0 ? ftrace::kRunnable : ftrace::kNotRunning;
  const ftrace::At at{record.time, ending.cpu.value_or(0), record.offset};
  const bool has_other = record.type == kSwitchCpuWide && ending.cpu.has_value();
  if (!has_other)
    return kernel_.switch_half({.name = {},
                                .state = state,
                                .task = *ending.tid,
                                .comes = !leaves,
                                .has_cpu = ending.cpu.has_value()},
                               at);
  if (!leaves) return;
  kernel_.switch_tasks({.previous_name = {},
                        .next_name = {},
                        .previous_state = state,
                        .previous = *ending.tid,
                        .next = value_at<int32_t>(record.body, 4)},
                       at);
}

void Player::lose(const Record& record, std::string_view what) {
  const size_t at = record.type == kLost ? 8 : 0;
  sink_.loss(what, {record.offset, LaneId::none(), record.time},
             std::max<uint64_t>(value_at<uint64_t>(record.body, at), 1));
}

void Player::finish() {
  std::vector<stacks::SampledStacks*> all;
  for (auto& [lane, each] : stacks_) all.push_back(&each);
  stacks::finish_all(all, interval_);
  timeline_.finish();
  kernel_.finish();
}

}  // namespace weft::formats::perf
