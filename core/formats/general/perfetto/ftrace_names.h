// Names of kernel tracepoints and their fields, by Perfetto's numbers.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace weft::formats::perfetto {

struct TracepointNames {
  uint32_t number = 0;  // the field of FtraceEvent
  std::string_view name;
  std::vector<std::string_view> fields;  // from field 1 on; "-": none of that number
};

// Returns null if the number is not known.
const TracepointNames* tracepoint_names(uint32_t number);

// The field that has a function of the kernel; 0: none has.
constexpr uint32_t symbol_field(uint32_t tracepoint) {
  switch (tracepoint) {
    case 18:  // sched_blocked_reason
    case 56:
    case 57:
    case 58:
    case 59:   // workqueue_…
    case 437:  // funcgraph_entry
    case 551:
    case 555:  // hrtimer_start, timer_start
      return 2;
    case 553:
    case 557:  // hrtimer_expire_entry, timer_expire_entry
      return 3;
    case 443:  // mm_shrink_slab_start
      return 8;
    case 444:  // mm_shrink_slab_end
      return 4;
    default:
      return 0;
  }
}

}  // namespace weft::formats::perfetto
