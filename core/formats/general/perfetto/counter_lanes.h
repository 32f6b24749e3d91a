// Lanes for what belongs to the whole system: groups at the root of its machine, and a lane for
// each variable.
#pragma once

#include <fmt/core.h>

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "core/base/text.h"
#include "core/formats/kernel/ftrace/ftrace_lanes.h"
#include "core/trace/event_sink.h"

namespace weft::formats::perfetto {

class CounterLanes {
 public:
  CounterLanes(trace::EventSink& sink, ftrace::Lanes& lanes) : sink_(sink), lanes_(lanes) {}

  // Above the processes and below the CPUs, unless it is said otherwise.
  LaneId group(std::string_view name, int32_t sort_index = -1) {
    const auto it = groups_.find(name);
    if (it != groups_.end()) return it->second;
    const LaneId lane = sink_.add_lane(
        {.name = std::string(name), .parent = lanes_.root(), .sort_index = sort_index});
    groups_.emplace(name, lane);
    return lane;
  }

  LaneId gpu(int32_t number) { return group(number == 0 ? "GPU" : fmt::format("GPU {}", number)); }

  // A sample of a variable that has a lane of its own below this one.
  void sample(LaneId parent, std::string_view name, double value, Time time) {
    sink_.give(
        trace::VariableSample{.time = time,
                              .value = value,
                              .lane = lanes_.below(parent, name, trace::LaneKind::kCounter),
                              .type = sink_.type(trace::Category::kVariable, valid_utf8(name))});
  }

 private:
  trace::EventSink& sink_;
  ftrace::Lanes& lanes_;
  std::map<std::string, LaneId, std::less<>> groups_;
};

}  // namespace weft::formats::perfetto
