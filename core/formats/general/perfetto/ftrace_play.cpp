// Interprets kernel events in order of time: each is passed to the Kernel.
#include <fmt/core.h>

#include <algorithm>
#include <optional>

#include "core/base/saturating.h"
#include "core/formats/base/text.h"
#include "core/formats/general/perfetto/ftrace_bundles.h"

namespace weft::formats::perfetto {
namespace {

// Tracepoints that mean something, by their numbers in FtraceEvent.
enum Tracepoint : uint32_t {
  kPrint = 3,
  kSchedSwitch = 4,
  kCpuFrequency = 11,
  kCpuIdle = 13,
  kSchedWakeup = 17,
  kSchedWaking = 20,
  kSoftirqEntry = 24,
  kSoftirqExit = 25,
  kIrqEntry = 36,
  kIrqExit = 37,
  kBinderSend = 50,
  kBinderReceive = 51,
  kSuspendResume = 113,
  kSchedWakeupNew = 114,
  kTaskNew = 235,
  kTaskRename = 236,
  kTaskFree = 240,
  kGeneric = 327,
  kSysEnter = 329,
  kSysExit = 330,
  kFuncgraphEntry = 437,
  kFuncgraphExit = 438,
  kGpuBatchQueued = 534,
  kGpuBatchSync = 536,
  kGpuBatchRetired = 537,
  kKprobe = 542,
};

}  // namespace

int64_t FtraceBundles::number(uint32_t field) const {
  const auto it = std::ranges::find(fields_, field, &Field::number);
  return it == fields_.end() ? 0 : it->integer();
}

std::string_view FtraceBundles::text(uint32_t field) const {
  const auto it = std::ranges::find(fields_, field, &Field::number);
  return it == fields_.end() ? std::string_view() : it->bytes;
}

void FtraceBundles::play(const Record& record) {
  const ftrace::At at{record.time, record.cpu, record.offset};
  switch (record.kind) {
    case Record::Kind::kEvent:
      return play_event(record, at);
    case Record::Kind::kSwitch:
      return play_switch(record, at);
    case Record::Kind::kWaking: {
      const Running& waker = running_[record.cpu];
      ftrace::Lanes& lanes = kernel_.lanes();
      const LaneId lane = waker.pid > 0 ? lanes.scheduler(lanes.task(waker.pid, waker.name, -1))
                                        : lanes.cpu(record.cpu);
      kernel_.wake(record.pid, record.bytes, lane, at);
      return;
    }
  }
}

// Only who comes is written: who goes came before.
void FtraceBundles::play_switch(const Record& record, const ftrace::At& at) {
  Running& running = running_[record.cpu];
  const ftrace::Switch s{.previous_name = running.name,
                         .next_name = record.bytes,
                         .previous_state = kernel_.task_state(record.previous_state),
                         .previous = running.pid,
                         .next = record.pid};
  kernel_.switch_tasks(s, at);
  running = {record.pid, std::string(record.bytes)};
}

void FtraceBundles::play_event(const Record& record, const ftrace::At& at) {
  fields_.clear();
  const bool is_good =
      for_each_field(record.bytes, [&](const Field& field) { fields_.push_back(field); });
  if (!is_good) sink_.loss("kernel event damaged", record.offset);
  learn_task(record, at);
  const bool is_done = play_scheduler(record, at) || play_interrupt(record, at) ||
                       play_call(record, at) || play_power(record, at) || play_mark(record, at) ||
                       play_gpu_batch(record, at) || play_value(record, at) ||
                       play_paired(record, at) || play_transaction(record, at) ||
                       play_generic(record, at);
  if (!is_done) play_punctual(record, at);
}

void FtraceBundles::learn_task(const Record& record, const ftrace::At& at) {
  ftrace::Lanes& lanes = kernel_.lanes();
  const auto pid = static_cast<int32_t>(number(1));
  constexpr int64_t kThread = 0x10000;  // CLONE_THREAD
  if (record.tracepoint == kTaskNew) {
    kernel_.give_number(pid, at);
    lanes.describe_task(pid, text(2), (number(3) & kThread) == 0 ? pid : -1);
  }
  if (record.tracepoint == kTaskFree) kernel_.free_task(static_cast<int32_t>(number(2)), at);
  if (record.tracepoint == kTaskRename) lanes.describe_task(pid, text(3), -1);
}

bool FtraceBundles::play_scheduler(const Record& record, const ftrace::At& at) {
  switch (record.tracepoint) {
    case kSchedSwitch: {
      const ftrace::Switch s{.previous_name = text(1),
                             .next_name = text(5),
                             .previous_state = kernel_.task_state(number(4)),
                             .previous = static_cast<int32_t>(number(2)),
                             .next = static_cast<int32_t>(number(6))};
      kernel_.switch_tasks(s, at);
      running_[record.cpu] = {s.next, std::string(s.next_name)};
      return true;
    }
    case kSchedWakeup:
    case kSchedWaking:
    case kSchedWakeupNew: {
      ftrace::Lanes& lanes = kernel_.lanes();
      const LaneId lane =
          record.pid > 0 ? lanes.scheduler(lanes.task(record.pid, {}, -1)) : lanes.cpu(record.cpu);
      return kernel_.wake(static_cast<int32_t>(number(2)), text(1), lane, at,
                          record.tracepoint == kSchedWakeupNew);
    }
    default:
      return false;
  }
}

bool FtraceBundles::play_interrupt(const Record& record, const ftrace::At& at) {
  switch (record.tracepoint) {
    case kIrqEntry:
      kernel_.begin_irq(number(1), text(2), at);
      return true;
    case kIrqExit:
      kernel_.end_irq(number(2) != 0, at);
      return true;
    case kSoftirqEntry:
      kernel_.begin_interrupt(ftrace::name_of_soft_interrupt(number(1)), "softirq", at);
      return true;
    case kSoftirqExit:
      kernel_.end_interrupt(at);
      return true;
    default:
      return false;
  }
}

// System calls, functions that the kernel's tracer follows, and probes.
bool FtraceBundles::play_call(const Record& record, const ftrace::At& at) {
  switch (record.tracepoint) {
    case kSysEnter:
      kernel_.begin_system_call(lane_of(record), number(1), text_of(record), at);
      return true;
    case kSysExit:
      kernel_.end_system_call(lane_of(record), number(2), text_of(record), at);
      return true;
    case kFuncgraphEntry:
      kernel_.begin_function(
          lane_of(record),
          record.symbol != 0 ? symbols_[record.symbol] : fmt::format("{:#x}", number(2)), at);
      return true;
    case kFuncgraphExit:
      kernel_.end_function(lane_of(record), at);
      return true;
    case kKprobe: {
      constexpr int64_t kBegin = 1, kEnd = 2;
      if (number(2) == kBegin) kernel_.begin_function(lane_of(record), text(1), at);
      if (number(2) == kEnd) kernel_.end_function(lane_of(record), at);
      if (number(2) != kBegin && number(2) != kEnd)
        kernel_.add_punctual(lane_of(record), text(1), {}, at);
      return true;
    }
    default:
      return false;
  }
}

bool FtraceBundles::play_power(const Record& record, const ftrace::At& at) {
  if (record.tracepoint == kSuspendResume) {
    kernel_.suspend(text(1), number(2), number(3) != 0, at);
    return true;
  }
  if (record.tracepoint != kCpuIdle && record.tracepoint != kCpuFrequency) return false;
  const auto cpu = static_cast<uint32_t>(number(2));
  if (record.tracepoint == kCpuIdle) {
    kernel_.set_idle_state(cpu, number(1), at);
  } else {
    kernel_.set_frequency(cpu, number(1), at);
  }
  return true;
}

// "B|7|name": the number is that of the process.
void FtraceBundles::learn_process(const Record& record, std::string_view mark) {
  if (mark.size() < 2 || mark[1] != '|' || record.pid <= 0) return;
  mark.remove_prefix(2);
  const auto process = take_number<int32_t>(mark);
  if (process && *process > 0) kernel_.lanes().describe_task(record.pid, {}, *process);
}

// "B|7|name" in the text that user space printed, or the same of drivers.
bool FtraceBundles::play_mark(const Record& record, const ftrace::At& at) {
  if (record.tracepoint == kPrint) {
    std::string_view mark = text(2);
    while (mark.ends_with('\n') || mark.ends_with('\0')) mark.remove_suffix(1);
    learn_process(record, mark);
    return kernel_.add_mark(lane_of(record), mark, at);
  }
  return play_driver_mark(record, at);
}

bool FtraceBundles::play_paired(const Record& record, const ftrace::At& at) {
  const auto paired = ftrace::paired_event(name_of(record.tracepoint));
  if (!paired) return false;
  // The reason of an interrupt is its only text.
  const std::string_view function =
      record.symbol != 0 ? std::string_view(symbols_[record.symbol]) : text(1);
  kernel_.add_paired(*paired, lane_of(record), function, paired->is_begin ? text_of(record) : "",
                     at);
  return true;
}

// Batches of an Adreno GPU, which says when it began and ended one in ticks of its own clock.
bool FtraceBundles::play_gpu_batch(const Record& record, const ftrace::At& at) {
  constexpr size_t kMost = 1 << 16;
  constexpr int64_t kNsOfTicks = 625;  // of 12 of them: 19.2 MHz
  constexpr uint64_t kTicks = 12;
  const int64_t context = number(1), batch = number(2);
  if (record.tracepoint == kGpuBatchQueued) {
    if (gpu_contexts_.size() < kMost) gpu_contexts_[context] = record.pid;
    return false;
  }
  if (record.tracepoint == kGpuBatchSync) {
    if (gpu_clocks_.size() >= kMost) gpu_clocks_.clear();
    gpu_clocks_.insert_or_assign({context, batch}, GpuClock{record.time, number(3)});
    return false;
  }
  if (record.tracepoint != kGpuBatchRetired) return false;
  const auto clock = gpu_clocks_.find({context, batch});
  const int64_t start = number(6), end = number(7);
  if (clock == gpu_clocks_.end() || end < start) return false;
  const auto time_of = [&](int64_t ticks) {
    const int64_t since = saturating_sub(ticks, clock->second.ticks);
    return Time{
        saturating_add(clock->second.time.ticks, saturating_scale(since, kNsOfTicks, kTicks))};
  };
  const Time begin = time_of(start);
  ftrace::Lanes& lanes = kernel_.lanes();
  const auto owner = gpu_contexts_.find(context);
  const LaneId parent =
      owner == gpu_contexts_.end() ? lanes.root() : lanes.process_of_task(owner->second);
  const std::string name = fmt::format("GPU, context {}, priority {}", context, number(8));
  sink_.give(trace::StateEvent{
      .begin = begin,
      .duration = time_of(end) - begin,
      .params = sink_.params(text_of(record)),
      .lane = lanes.below(parent, name, trace::LaneKind::kQueue, ftrace::kBehindThreads),
      .type = sink_.type(trace::Category::kState, "GPU", "gpu")});
  gpu_clocks_.erase(clock);
  kernel_.saw(at.time);
  return true;
}

bool FtraceBundles::play_transaction(const Record& record, const ftrace::At& at) {
  if (record.tracepoint == kBinderReceive)
    return kernel_.receive_transaction(number(1), lane_of(record), at);
  if (record.tracepoint != kBinderSend) return false;
  kernel_.send_transaction(number(1), number(5) != 0, lane_of(record), text_of(record), at);
  return true;
}

// Events that say their own names, and those of their fields.
bool FtraceBundles::play_generic(const Record& record, const ftrace::At& at) {
  if (record.tracepoint != kGeneric) return false;
  args_.clear();
  for (const Field& field : fields_) {
    if (field.number != 2) continue;
    std::string_view name;
    std::optional<Field> value;
    for_each_field(field.bytes, [&](const Field& inner) {
      if (inner.number == 1) name = inner.bytes;
      if (inner.number >= 3 && inner.number <= 5) value = inner;
    });
    args_.name(name);
    if (!value) {
      args_.nothing();
    } else if (value->number == 5) {
      args_.number(value->value);
    } else {
      add_value(*value);
    }
  }
  kernel_.add_punctual(lane_of(record), text(1), args_.take(), at);
  return true;
}

void FtraceBundles::play_punctual(const Record& record, const ftrace::At& at) {
  kernel_.add_punctual(lane_of(record), name_of(record.tracepoint), text_of(record), at);
}

LaneId FtraceBundles::lane_of(const Record& record) {
  ftrace::Lanes& lanes = kernel_.lanes();
  return record.pid > 0 ? lanes.task(record.pid, {}, -1) : lanes.cpu(record.cpu);
}

std::string_view FtraceBundles::name_of(uint32_t tracepoint) {
  field_names(tracepoint);
  return described_[tracepoint].name;
}

const std::vector<std::string>* FtraceBundles::field_names(uint32_t tracepoint) {
  const auto [it, is_new] = described_.try_emplace(tracepoint);
  if (is_new) {
    const TracepointNames* names = tracepoint_names(tracepoint);
    if (names != nullptr) {
      it->second.name = names->name;
      it->second.values = ftrace::value_event(names->name);
      it->second.fields.assign(names->fields.begin(), names->fields.end());
    } else {
      it->second.name = fmt::format("event {}", tracepoint);
    }
  }
  return &it->second.fields;
}

std::string FtraceBundles::text_of(const Record& record) {
  const std::vector<std::string>& names = *field_names(record.tracepoint);
  const uint32_t symbol = record.symbol != 0 ? symbol_field(record.tracepoint) : 0;
  args_.clear();
  const auto has_number = [](const Field& field) { return field.number; };
  for (auto it = fields_.begin(); it != fields_.end(); ++it) {
    const Field& field = *it;
    if (std::ranges::find(fields_.begin(), it, field.number, has_number) != it) continue;
    const bool is_known = field.number <= names.size() && !names[field.number - 1].empty() &&
                          names[field.number - 1] != "-";
    args_.name(is_known ? names[field.number - 1] : fmt::format("field {}", field.number));
    if (field.number == symbol) {
      args_.text(symbols_[record.symbol]);
      continue;
    }
    const bool is_list = std::ranges::count(it, fields_.end(), field.number, has_number) > 1;
    if (is_list) args_.begin('[');
    std::for_each(it, fields_.end(), [&](const Field& each) {
      if (each.number == field.number) add_value(each);
    });
    if (is_list) args_.end(']');
  }
  return args_.take();
}

// Numbers whose sign is not known: what can only be an address is written as one.
void FtraceBundles::add_value(const Field& field) {
  if (field.is_bytes) return args_.text(field.bytes);
  if (field.integer() < INT32_MIN) return args_.pointer(field.value);
  args_.number(field.integer());
}

}  // namespace weft::formats::perfetto
