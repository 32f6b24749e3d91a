// Variables of GHC's event logs, by the lane below which they lie and by name; each has a lane
// since its first sample.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "core/trace/event_sink.h"

namespace weft::formats::ghc {

class Variables {
 public:
  explicit Variables(trace::EventSink& sink) : sink_(sink) {}

  void add(LaneId parent, std::string_view name, std::string_view group, Time time, uint64_t value,
           ParamsId params = ParamsId::none()) {
    const Variable& variable = find(parent, name, group);
    sink_.give(trace::VariableSample{.time = time,
                                     .value = static_cast<double>(value),
                                     .params = params,
                                     .lane = variable.lane,
                                     .type = variable.type});
  }

 private:
  struct Variable {
    LaneId lane;
    EventTypeId type;
  };

  const Variable& find(LaneId parent, std::string_view name, std::string_view group) {
    auto& siblings = by_parent_[parent.value()];
    const auto known = siblings.find(name);
    if (known != siblings.end()) return known->second;
    const LaneId lane = sink_.add_lane(
        {.name = std::string(name), .parent = parent, .kind = trace::LaneKind::kCounter});
    const EventTypeId type = sink_.type(trace::Category::kVariable, name, group);
    return siblings.emplace(name, Variable{lane, type}).first->second;
  }

  trace::EventSink& sink_;
  std::map<uint32_t, std::map<std::string, Variable, std::less<>>> by_parent_;
};

}  // namespace weft::formats::ghc
