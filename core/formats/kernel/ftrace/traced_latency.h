// What tracers of latencies print in place of a function: timerlat, osnoise and hwlat.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace weft::formats::ftrace {

struct TracedLatency {
  std::string_view event;  // the tracer: "timerlat"
  std::string what;        // what was measured: "irq timer latency"
  double value = 0;        // in the tracer's unit: ns of timerlat, else us
  std::string params{};    // a JSON object, with the names of the kernel's own records
};

// "#1 context irq timer_latency 932 ns", "1000000 190 99.98100 9 18 0 1007 18 1", "#1
// inner/outer(us): 11/12 ts:1581527483.343962693 count:6".
std::optional<TracedLatency> parse_latency(std::string_view text);

// The names of `what`, for records that have numbers.
std::string name_of_timer_latency(std::string_view context);
inline constexpr std::string_view kNoise = "noise (us)", kHardwareLatency = "hardware latency (us)";

}  // namespace weft::formats::ftrace
