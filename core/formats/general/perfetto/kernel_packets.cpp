#include "core/formats/general/perfetto/kernel_packets.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>

#include "core/formats/general/perfetto/packet_field.h"
#include "core/formats/general/perfetto/system_names.h"

namespace weft::formats::perfetto {
namespace {

// States of GenericKernelTaskStateEvent, from 0 on.
constexpr std::string_view kTaskStates[] = {"not running", "runnable",    "runnable",
                                            "running",     "sleeping",    "uninterruptible sleep",
                                            "stopped",     ftrace::kDead, ftrace::kDead};
constexpr uint64_t kRunnable = 2, kRunning = 3;
// Changes of a task that does not run.
constexpr std::string_view kChanges[] = {"unknown", "created", "runnable",
                                         "running", "sleeps",  "sleeps uninterruptibly",
                                         "stopped", "dead",    "destroyed"};
static_assert(std::size(kChanges) == std::size(kTaskStates));

}  // namespace

bool KernelPackets::add(const Field& data, std::optional<Time> time, uint64_t offset) {
  constexpr uint32_t kKinds[] = {kGenericTaskState, kGenericCpuFrequency, kGenericTaskRename,
                                 kGenericProcessTree, kGenericGpuFrequency};
  if (std::ranges::find(kKinds, data.number) == std::end(kKinds)) return false;
  bool is_good = true;
  if (data.number == kGenericProcessTree) {
    is_good = add_process_tree(data.bytes);
  } else if (data.number == kGenericTaskRename) {
    is_good = add_thread(data.bytes, 2, 0);
  } else if (!time) {
    sink_.loss("packet without a time", offset);
  } else if (data.number == kGenericTaskState) {
    is_good = add_task_state(data.bytes, *time, offset);
  } else {
    is_good = add_frequency(data, *time, offset);
  }
  if (!is_good) sink_.loss(fmt::format("{} damaged", packet_kind(data.number)), offset);
  return true;
}

// A task that no longer runs says so by itself, and leaves its CPU idle until the next one runs.
bool KernelPackets::add_task_state(std::string_view message, Time time, uint64_t offset) {
  ftrace::At at{.time = time, .offset = offset};
  std::string_view name;
  int32_t task = 0;
  uint64_t state = 0;
  const bool is_good = for_each_field(message, [&](const Field& field) {
    if (field.number == 1) at.cpu = field.uint32();
    if (field.number == 2) name = field.bytes;
    if (field.number == 3) task = kernel_.lanes().id_of(field.integer());
    if (field.number == 4) state = field.value;
  });
  if (state >= std::size(kTaskStates)) {
    sink_.loss("unknown state of a task", offset);
    return is_good;
  }
  int32_t& running = running_[at.cpu];
  const bool was_running = task == running;
  if (state == kRunning) {
    ftrace::Switch to;
    to.next_name = name;
    to.previous_state = kTaskStates[kRunnable];
    to.previous = running;
    to.next = task;
    kernel_.switch_tasks(to, at);
    running = task;
  } else if (was_running) {
    ftrace::Switch away;
    away.previous_name = name;
    away.previous_state = kTaskStates[state];
    away.previous = task;
    kernel_.switch_tasks(away, at);
    running = 0;
  } else if (state == kRunnable) {
    ftrace::Lanes& lanes = kernel_.lanes();
    kernel_.wake(task, name, running > 0 ? lanes.task(running, {}, -1) : lanes.cpu(at.cpu), at);
  }
  // The end of a task is no state.
  const bool is_state = was_running && kTaskStates[state] != ftrace::kDead;
  if (state == kRunning || state == kRunnable || is_state) return is_good;
  sink_.give(trace::PunctualEvent{
      .time = time,
      .lane = kernel_.lanes().task(task, name, -1),
      .type = sink_.type(trace::Category::kPunctual, kChanges[state], "task")});
  return is_good;
}

bool KernelPackets::add_frequency(const Field& data, Time time, uint64_t offset) {
  constexpr int64_t kHzPerKhz = 1000;
  uint32_t number = 0;
  int64_t frequency = 0;
  const bool is_good = for_each_field(data.bytes, [&](const Field& field) {
    if (field.number == 1) number = field.uint32();
    if (field.number == 2) frequency = field.integer();
  });
  if (data.number == kGenericCpuFrequency) {
    kernel_.set_frequency(number, frequency / kHzPerKhz, {time, number, offset});
  } else {
    counters_.sample(counters_.group("GPU"), fmt::format("frequency {} [kHz]", number),
                     static_cast<double>(frequency), time);
  }
  return is_good;
}

// `name` and `process`: the fields that have them.
bool KernelPackets::add_thread(std::string_view message, uint32_t name, uint32_t process) {
  int32_t tid = -1, pid = -1;
  std::string_view text;
  const bool is_good = for_each_field(message, [&](const Field& field) {
    if (field.number == 1) tid = kernel_.lanes().id_of(field.integer());
    if (field.number == process) pid = kernel_.lanes().id_of(field.integer());
    if (field.number == name) text = field.bytes;
  });
  if (tid >= 0) kernel_.lanes().describe_task(tid, text, pid);
  return is_good;
}

bool KernelPackets::add_process_tree(std::string_view message) {
  bool is_good = true;
  is_good &= for_each_field(message, [&](const Field& entry) {
    if (entry.number == 2) is_good &= add_thread(entry.bytes, 3, 2);
    if (entry.number != 1) return;
    int32_t pid = -1;
    std::string_view name;
    is_good &= for_each_field(entry.bytes, [&](const Field& field) {
      if (field.number == 1) pid = kernel_.lanes().id_of(field.integer());
      if (field.number == 3) name = field.bytes;
    });
    if (pid >= 0) kernel_.lanes().describe_process(pid, name);
  });
  return is_good;
}

}  // namespace weft::formats::perfetto
