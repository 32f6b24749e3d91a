// Maps lanes and events to CPUs.
//
// A lane is a CPU if its kind says so (trace::LaneKind::kCpu) or if it is named like "CPU 2",
// "cpu2" or "cpu-2"; its number is the one at the end of its name. Lanes below belong to the same
// CPU. Events on other lanes may name theirs in a parameter "cpu", since tasks migrate.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/store/trace.h"
#include "core/trace/model.h"

namespace weft::query {

inline constexpr std::string_view kCpuParam = "cpu";

// Returns each lane's CPU, by LaneId; nullopt for other lanes. O(lanes).
std::vector<std::optional<int64_t>> cpu_of_lanes(const trace::Dictionary& dictionary);

// Returns the CPU that an event's parameters name.
std::optional<int64_t> cpu_in_params(const store::Trace& trace, const store::Record& record);

// Returns the CPU of the event's lane or else of its parameters; `lanes` is from cpu_of_lanes().
inline std::optional<int64_t> cpu_of_event(const std::vector<std::optional<int64_t>>& lanes,
                                           const store::Trace& trace, const store::Row& row,
                                           const store::Record& record) {
  const std::optional<int64_t> of_lane = lanes[row.lane.value()];
  return of_lane ? of_lane : cpu_in_params(trace, record);
}

}  // namespace weft::query
