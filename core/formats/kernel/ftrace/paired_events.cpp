#include "core/formats/kernel/ftrace/paired_events.h"

#include <algorithm>
#include <cstdint>
#include <iterator>

namespace weft::formats::ftrace {
namespace {

enum class Words : uint8_t { kEntryExit, kStartEnd, kBeginEnd };

struct Pair {
  std::string_view event;  // without "_entry" and "_exit", …
  Words words;
  std::string_view name, group;
  bool is_interrupt;
  bool names_function = false;
};

// Source: linux 6.18, arch/x86/include/asm/trace/irq_vectors.h; include/trace/events of ipi, timer,
// irq, workqueue, sched, vmscan, compaction, lock.
constexpr Pair kPairs[] = {
    {"local_timer", Words::kEntryExit, "local_timer", "irq", true},
    {"reschedule", Words::kEntryExit, "reschedule", "irq", true},
    {"call_function", Words::kEntryExit, "call_function", "irq", true},
    {"call_function_single", Words::kEntryExit, "call_function_single", "irq", true},
    {"irq_work", Words::kEntryExit, "irq_work", "irq", true},
    {"error_apic", Words::kEntryExit, "error_apic", "irq", true},
    {"spurious_apic", Words::kEntryExit, "spurious_apic", "irq", true},
    {"thermal_apic", Words::kEntryExit, "thermal_apic", "irq", true},
    {"threshold_apic", Words::kEntryExit, "threshold_apic", "irq", true},
    {"deferred_error_apic", Words::kEntryExit, "deferred_error_apic", "irq", true},
    {"x86_platform_ipi", Words::kEntryExit, "x86_platform_ipi", "irq", true},
    {"ipi", Words::kEntryExit, "ipi", "ipi", true, true},
    {"hrtimer_expire", Words::kEntryExit, "hrtimer_expire", "timer", true, true},
    {"timer_expire", Words::kEntryExit, "timer_expire", "timer", true, true},
    {"tasklet", Words::kEntryExit, "tasklet", "tasklet", true, true},
    {"workqueue_execute", Words::kStartEnd, "workqueue_execute", "work", false, true},
    {"sched_kthread_work_execute", Words::kStartEnd, "kthread_work_execute", "work", false, true},
    {"contention", Words::kBeginEnd, "lock contention", "locks", false},
    {"mm_vmscan_direct_reclaim", Words::kBeginEnd, "direct reclaim", "memory", false},
    {"mm_vmscan_memcg_reclaim", Words::kBeginEnd, "memcg reclaim", "memory", false},
    {"mm_compaction", Words::kBeginEnd, "compaction", "memory", false},
};

struct Ending {
  std::string_view text;
  Words words;
  bool is_begin;
};
constexpr Ending kEndings[] = {
    {"_entry", Words::kEntryExit, true}, {"_exit", Words::kEntryExit, false},
    {"_start", Words::kStartEnd, true},  {"_end", Words::kStartEnd, false},
    {"_begin", Words::kBeginEnd, true},  {"_end", Words::kBeginEnd, false},
};

}  // namespace

std::optional<PairedEvent> paired_event(std::string_view event) {
  for (const Ending& ending : kEndings) {
    if (!event.ends_with(ending.text)) continue;
    const std::string_view name = event.substr(0, event.size() - ending.text.size());
    const auto* const pair = std::ranges::find_if(
        kPairs, [&](const Pair& each) { return each.event == name && each.words == ending.words; });
    if (pair != std::end(kPairs))
      return PairedEvent{pair->name, pair->group, ending.is_begin, pair->is_interrupt,
                         pair->names_function};
  }
  return std::nullopt;
}

}  // namespace weft::formats::ftrace
