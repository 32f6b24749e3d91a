// Which lanes are those of a CPU, and of which; and which CPU an event is of.
//
// A lane is a CPU where its format says so (trace::LaneKind::kCpu) or its name is "CPU 2", "cpu2",
// "cpu-2"; its number is the one at the end of its name. What lies below is of that CPU, too.
// Events of other lanes may say it themselves, by a parameter "cpu": a task is now here, now there.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/store/trace.h"
#include "core/trace/model.h"

namespace weft::query {

inline constexpr std::string_view kCpuParam = "cpu";

// By lane; nothing: of none. O(lanes).
std::vector<std::optional<int64_t>> cpu_of_lanes(const trace::Dictionary& dictionary);

// What an event says itself.
std::optional<int64_t> cpu_in_params(const store::Trace& trace, const store::Record& record);

// That of its lane, else what it says itself; `lanes` are cpu_of_lanes().
inline std::optional<int64_t> cpu_of_event(const std::vector<std::optional<int64_t>>& lanes,
                                           const store::Trace& trace, const store::Row& row,
                                           const store::Record& record) {
  const std::optional<int64_t> of_lane = lanes[row.lane.value()];
  return of_lane ? of_lane : cpu_in_params(trace, record);
}

}  // namespace weft::query
