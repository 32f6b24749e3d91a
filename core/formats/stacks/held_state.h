// A lane that is in one state at a time, each lasting until the next: a thread that runs, waits,
// runs.
//
// If `state` is empty the lane is in none. States that would end before they began are left out.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "core/trace/event_sink.h"

namespace weft::formats::stacks {

struct StateColor {
  std::string_view state;
  uint32_t rgb;
};

struct HeldState {
  std::string state;
  Time since;
  ParamsId params = ParamsId::none();  // the state's other parameters

  // Ends the held state now, giving it as a type of `group`; the lane is then in state `next`.
  void change(trace::EventSink& sink, LaneId lane, std::string_view next, Time now,
              std::string_view group, std::span<const StateColor> colors) {
    if (!state.empty() && now >= since) {
      const EventTypeId type = sink.type(trace::Category::kState, state, group);
      const auto color = std::ranges::find(colors, std::string_view(state), &StateColor::state);
      if (color != colors.end()) sink.set_type_color(type, color->rgb);
      sink.give(trace::StateEvent{
          .begin = since, .duration = now - since, .params = params, .lane = lane, .type = type});
    }
    state = next;
    since = now;
    params = ParamsId::none();
  }
};

}  // namespace weft::formats::stacks
