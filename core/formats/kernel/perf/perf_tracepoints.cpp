// Tracepoints of the kernel in perf.data that mean more than that they happened: the recording has
// their formats, too, but those of these have been the same for many years.
#include <fmt/core.h>

#include "core/formats/base/binary.h"
#include "core/formats/base/text.h"
#include "core/formats/kernel/perf/perf_player.h"

namespace weft::formats::perf {
namespace {

// Behind what all tracepoints begin with: type, flags, depth and task.
constexpr size_t kFields = 8;

// A text whose place and length are said in a field.
std::string_view text_at(std::string_view raw, size_t field) {
  const auto place = value_at<uint32_t>(raw, field);
  constexpr unsigned kBits = 16;
  constexpr uint32_t kMask = (1 << kBits) - 1;
  return until_zero(raw.substr(std::min<size_t>(place & kMask, raw.size()), place >> kBits));
}

}  // namespace

bool Player::add_tracepoint(const Sampled& sample, const Attributes& attributes,
                            const ftrace::At& at) {
  std::string_view name = attributes.name;
  const std::string_view system = take_to(name, ':');
  if (sample.raw.size() <= kFields || name.empty()) return false;
  if (system == "sched") return add_scheduling(sample, name, at);
  if (system == "irq") return add_interrupt(sample, name, at) || add_paired(sample, name, at);
  if (system == "raw_syscalls" || system == "syscalls") return add_system_call(sample, name, at);
  const bool has_pairs = system == "irq_vectors" || system == "workqueue" || system == "timer" ||
                         system == "lock" || system == "vmscan" || system == "compaction";
  return has_pairs && add_paired(sample, name, at);
}

bool Player::add_scheduling(const Sampled& sample, std::string_view name, const ftrace::At& at) {
  constexpr size_t kNameBytes = 16, kSwitchBytes = 64, kWakeupBytes = 32;
  const std::string_view raw = sample.raw;
  if (name == "sched_switch" && raw.size() >= kSwitchBytes) {
    kernel_.switch_tasks({.previous_name = until_zero(raw.substr(8, kNameBytes)),
                          .next_name = until_zero(raw.substr(40, kNameBytes)),
                          .previous_state = kernel_.task_state(value_at<int64_t>(raw, 32)),
                          .previous = value_at<int32_t>(raw, 24),
                          .next = value_at<int32_t>(raw, 56)},
                         at);
    return true;
  }
  const bool is_wakeup =
      name == "sched_wakeup" || name == "sched_waking" || name == "sched_wakeup_new";
  if (!is_wakeup || raw.size() < kWakeupBytes) return add_paired(sample, name, at);
  return kernel_.wake(value_at<int32_t>(raw, 24), until_zero(raw.substr(8, kNameBytes)),
                      lane_of(sample), at, name == "sched_wakeup_new");
}

bool Player::add_interrupt(const Sampled& sample, std::string_view name, const ftrace::At& at) {
  constexpr size_t kSecond = kFields + 4;
  const std::string_view raw = sample.raw;
  if (name == "irq_handler_entry") {
    kernel_.begin_irq(value_at<int32_t>(raw, kFields), text_at(raw, kSecond), at);
  } else if (name == "irq_handler_exit") {
    kernel_.end_irq(value_at<int32_t>(raw, kSecond) != 0, at);
  } else if (name == "softirq_entry") {
    kernel_.begin_interrupt(ftrace::name_of_soft_interrupt(value_at<uint32_t>(raw, kFields)),
                            "softirq", at);
  } else if (name == "softirq_exit") {
    kernel_.end_interrupt(at);
  } else {
    return false;
  }
  return true;
}

// "sys_enter" and "sys_exit" say the call's number, "sys_enter_read" its name.
bool Player::add_system_call(const Sampled& sample, std::string_view name, const ftrace::At& at) {
  constexpr size_t kSecond = kFields + 8;
  constexpr std::string_view kEnter = "sys_enter", kExit = "sys_exit";
  const std::string_view raw = sample.raw;
  if (take_prefix(name, kExit)) {
    kernel_.end_system_call(lane_of(sample), value_at<int64_t>(raw, kSecond), {}, at);
    return true;
  }
  if (!take_prefix(name, kEnter)) return false;
  std::string params = R"({"args":[)";
  for (size_t i = kSecond; i + 8 <= raw.size(); i += 8) {
    if (i > kSecond) params += ',';
    params += fmt::format("{}", value_at<int64_t>(raw, i));
  }
  params += "]}";
  if (name.empty()) {
    kernel_.begin_system_call(lane_of(sample), value_at<int64_t>(raw, kFields), params, at);
  } else {
    kernel_.begin_system_call(lane_of(sample), fmt::format("sys{}", name), params, at);
  }
  return true;
}

// The functions that they tell of are addresses.
bool Player::add_paired(const Sampled& sample, std::string_view name, const ftrace::At& at) {
  const auto event = ftrace::paired_event(name);
  if (!event) return false;
  const std::string params =
      event->group == "irq"
          ? fmt::format(R"({{"vector":{}}})", value_at<int32_t>(sample.raw, kFields))
          : std::string();
  kernel_.add_paired(*event, lane_of(sample), {}, event->is_begin ? params : "", at);
  return true;
}

LaneId Player::lane_of(const Sampled& sample) {
  ftrace::Lanes& lanes = kernel_.lanes();
  return sample.tid > 0 ? lanes.task(sample.tid, {}, sample.pid)
                        : lanes.cpu(sample.cpu.value_or(0));
}

}  // namespace weft::formats::perf
