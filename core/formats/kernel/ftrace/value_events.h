// Tracepoints that say what something is now, which become variables: the frequency of a clock, the
// temperature of a zone, the memory of a heap. By names, since recorders number them in their own
// ways. Those whose fields mean more are told to the Kernel one by one.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string_view>

namespace weft::formats::ftrace {

// The owner of a tracepoint's values, given by its field `of`.
enum class Whose : uint8_t {
  kSystem,
  kCpu,
  kProcess,
  kNamed,     // the one value is called by a text
  kNumbered,  // … by a number; see ValueEvent::called
};

struct ValueEvent {
  std::string_view event;
  Whose whose;
  std::string_view of;
  std::array<std::string_view, 2> values = {};  // fields; without any, all numbers but `of`
  std::optional<double> constant = {};          // the value that the event itself means
  std::string_view group = {};                  // whose lane it shares; empty: its own name
  std::string_view called = {};                 // the value, by a number: "GPU {} [kHz]"

  bool is_value(std::string_view field) const {
    if (values.front().empty()) return field != of && !constant;
    return !field.empty() && std::ranges::find(values, field) != values.end();
  }
  std::string_view lane() const { return group.empty() ? event : group; }
};

// Whose a value is, as far as the event says.
struct ValueOwner {
  int64_t number = 0;
  std::string_view name;
};

// Source: linux 6.18, include/trace/events of power, clk, thermal, oom, gpu; Android's drivers.
inline constexpr ValueEvent kValueEvents[] = {
    {"clock_set_rate", Whose::kNamed, "name", {"state"}},
    {"clock_enable", Whose::kNamed, "name", {"state"}},
    {"clock_disable", Whose::kNamed, "name", {"state"}, {}, "clock_enable"},
    {"clk_set_rate", Whose::kNamed, "name", {"rate"}},
    {"clk_enable", Whose::kNamed, "name", {}, 1},
    {"clk_disable", Whose::kNamed, "name", {}, 0, "clk_enable"},
    {"cpu_frequency_limits", Whose::kCpu, "cpu_id", {"min_freq", "max_freq"}},
    {"thermal_temperature", Whose::kNamed, "thermal_zone", {"temp"}},
    {"cdev_update", Whose::kNamed, "type", {"target"}},
    {"oom_score_adj_update", Whose::kProcess, "pid", {"oom_score_adj"}},
    {"gpu_frequency", Whose::kNumbered, "gpu_id", {"state"}, {}, {}, "GPU {} [kHz]"},
    {"kgsl_gpu_frequency",
     Whose::kNumbered,
     "gpu_id",
     {"gpu_freq"},
     {},
     "gpu_frequency",
     "GPU {} [kHz]"},
    {"devfreq_frequency", Whose::kNamed, "dev_name", {"freq"}},
    {"dcvsh_freq", Whose::kCpu, "cpu", {"freq"}, {}, {}, "highest frequency"},
    {"bcl_irq_trigger", Whose::kSystem, "id"},
    {"mali_gpu_power_state", Whose::kSystem, "from_state", {"to_state"}},
    {"ion_stat", Whose::kSystem, "buffer_id", {"len", "total_allocated"}},
    {"fastrpc_dma_stat", Whose::kSystem, "cid", {"len", "total_allocated"}},
    {"dma_heap_stat", Whose::kSystem, "inode", {"len", "total_allocated"}},
    {"sched_cpu_util_cfs", Whose::kCpu, "cpu"},
};

// By the tracepoint's name without its system; null: its values mean something else, or nothing.
inline const ValueEvent* value_event(std::string_view event) {
  const auto* const it = std::ranges::find(kValueEvents, event, &ValueEvent::event);
  return it == std::end(kValueEvents) ? nullptr : it;
}

}  // namespace weft::formats::ftrace
