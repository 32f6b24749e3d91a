// States that have begun and not ended, by lane: each end closes what began last.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/formats/stacks/joined_params.h"
#include "core/trace/event_sink.h"

namespace weft::formats::stacks {

class OpenStates {
 public:
  explicit OpenStates(trace::EventSink& sink) : sink_(sink) {}

  void begin(LaneId lane, EventTypeId type, Time time, ParamsId params, uint64_t offset) {
    push(lane, {type, time, params, offset, {}});
  }
  // `params` is the text of a JSON object, to which the end may add; empty: none.
  void begin(LaneId lane, EventTypeId type, Time time, std::string_view params, uint64_t offset) {
    push(lane, {type, time, ParamsId::none(), offset, std::string(params)});
  }
  bool has_open(LaneId lane, EventTypeId type) const {
    const auto it = open_.find(lane.value());
    return it != open_.end() &&
           std::ranges::any_of(it->second, [type](const Open& each) { return each.type == type; });
  }
  // Counted where nothing has begun: it began before the trace. `params` is what the end adds to
  // those that were given as text.
  void end(LaneId lane, Time time, uint64_t offset, std::string_view params = {}) {
    const auto it = open_.find(lane.value());
    if (it == open_.end() || it->second.empty())
      return sink_.loss("end without a begin", {offset, lane, time}, 1, false);
    give(lane, it->second, time, params);
  }
  // What began last of this type; what began since stays open. `begun` is the text of the begin's
  // parameters where they were given without it.
  void end_of(LaneId lane, EventTypeId type, Time time, uint64_t offset,
              std::string_view params = {}, std::string_view begun = {}) {
    std::vector<Open>& open = open_[lane.value()];
    if (!bring_last(open, type))
      return sink_.loss("end without a begin", {offset, lane, time}, 1, false);
    if (!params.empty() && open.back().text.empty()) open.back().text = begun;
    give(lane, open, time, params);
  }
  // What began last of this type, if any, ends here, where the next of it begins that cannot be
  // within it: its own end was lost. What began since stays open.
  void lose_end_of(LaneId lane, EventTypeId type, Time time) {
    std::vector<Open>& open = open_[lane.value()];
    if (bring_last(open, type)) lose_end(lane, open, time);
  }
  // All that has begun on the lane, which goes no further.
  void end_all(LaneId lane, Time time) {
    const auto it = open_.find(lane.value());
    while (it != open_.end() && !it->second.empty()) give(lane, it->second, time);
  }
  // All that has begun on the lane ends here, where it cannot go on: its own ends were lost.
  void lose_ends(LaneId lane, Time time) {
    const auto it = open_.find(lane.value());
    while (it != open_.end() && !it->second.empty()) lose_end(lane, it->second, time);
  }
  // What is still open ends with the trace.
  void finish(Time time) {
    for (const auto& [lane, open] : open_) lose_ends(LaneId(lane), time);
  }

 private:
  static constexpr size_t kMostDepth = 1 << 14;
  struct Open {
    EventTypeId type;
    Time begin;
    ParamsId params;
    uint64_t offset;
    std::string text;  // its parameters, where an end may add to them
  };

  void push(LaneId lane, Open&& begun) {
    std::vector<Open>& open = open_[lane.value()];
    if (open.size() == kMostDepth)
      return sink_.loss("states nested too deep", {begun.offset, lane, begun.begin});
    open.push_back(std::move(begun));
  }

  // To the top what began last of this type; false: nothing did.
  static bool bring_last(std::vector<Open>& open, EventTypeId type) {
    const auto it = std::find_if(open.rbegin(), open.rend(),
                                 [type](const Open& each) { return each.type == type; });
    if (it == open.rend()) return false;
    std::rotate(it.base() - 1, it.base(), open.end());
    return true;
  }

  void lose_end(LaneId lane, std::vector<Open>& open, Time time) {
    const Open& last = open.back();
    sink_.loss("begin without an end", {last.offset, lane, last.begin}, 1, false);
    give(lane, open, time);
  }

  void give(LaneId lane, std::vector<Open>& open, Time end, std::string_view added = {}) {
    Open last = std::move(open.back());
    open.pop_back();
    if (!last.text.empty() || !added.empty())
      last.params = sink_.params(joined_params(last.text, added));
    if (end < last.begin)
      return sink_.loss("end before its begin", {last.offset, lane, last.begin});
    const trace::StateEvent state{.begin = last.begin,
                                  .duration = end - last.begin,
                                  .params = last.params,
                                  .lane = lane,
                                  .type = last.type,
                                  .nesting = static_cast<uint32_t>(open.size())};
    sink_.states({&state, 1});
  }

  trace::EventSink& sink_;
  std::map<uint32_t, std::vector<Open>> open_;
};

}  // namespace weft::formats::stacks
