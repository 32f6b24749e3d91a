// Pairs the begins and ends of a table whose ends say how long it took: of the states that are open
// on a lane an end closes the one that began then, which need not be the innermost of its type. One
// that no begin is left for began before the table.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/formats/stacks/joined_params.h"
#include "core/trace/event_sink.h"

namespace weft::formats::csv {

class MeasuredCalls {
 public:
  struct Row {
    LaneId lane;
    EventTypeId type;  // none() for an end that does not say it
    Time time;
    std::string_view params;
    uint64_t offset;
  };

  explicit MeasuredCalls(trace::EventSink& sink) : sink_(sink) {}

  void begin(const Row& row) {
    std::vector<Open>& open = open_of(row.lane);
    if (open.size() == kMostOpen)
      return sink_.loss("states nested too deep", {row.offset, row.lane, row.time});
    open.push_back({row.type, row.time, row.offset, std::string(row.params)});
  }

  void end(const Row& row, std::optional<Duration> duration) {
    std::vector<Open>& open = open_of(row.lane);
    const size_t at = begin_of(open, row, duration);
    if (at < open.size()) return give(row.lane, open, at, row.time, row.params);
    const bool is_known = duration && !row.type.is_none();
    if (!is_known) return sink_.note("end without a begin", {row.offset, row.lane, row.time});
    open.push_back({row.type, row.time - *duration, row.offset, {}});
    give(row.lane, open, at, row.time, row.params);
  }

  // Ends what is still open at the end of the table.
  void finish(Time time) {
    for (uint32_t i = 0; i < lanes_.size(); ++i) {
      for (std::vector<Open>& open = lanes_[i]; !open.empty();) {
        sink_.note("begin without an end", {open.back().offset, LaneId(i), open.back().begin});
        give(LaneId(i), open, open.size() - 1, time, {});
      }
    }
  }

 private:
  static constexpr size_t kMostOpen = 1 << 14;  // on a lane
  struct Open {
    EventTypeId type;
    Time begin;
    uint64_t offset;
    std::string params;
  };

  std::vector<Open>& open_of(LaneId lane) {
    if (lane.value() >= lanes_.size()) lanes_.resize(lane.value() + 1);
    return lanes_[lane.value()];
  }

  // Without a duration the innermost; the number of those that are open where there is none.
  static size_t begin_of(const std::vector<Open>& open, const Row& row,
                         std::optional<Duration> duration) {
    size_t best = open.size();
    int64_t least = INT64_MAX;
    for (size_t i = open.size(); i-- > 0;) {
      if (!row.type.is_none() && open[i].type != row.type) continue;
      if (!duration) return i;
      const Duration error = row.time - *duration - open[i].begin;
      const int64_t distance = error.ticks < 0 ? -(error.ticks + 1) : error.ticks;
      if (best < open.size() && distance >= least) continue;
      best = i;
      least = distance;
    }
    return best;
  }

  void give(LaneId lane, std::vector<Open>& open, size_t at, Time end, std::string_view added) {
    const Open begin = std::move(open[at]);
    open.erase(open.begin() + static_cast<ptrdiff_t>(at));
    if (end < begin.begin)
      return sink_.loss("state that ends before it begins", {begin.offset, lane, begin.begin});
    sink_.give(trace::StateEvent{.begin = begin.begin,
                                 .duration = end - begin.begin,
                                 .params = sink_.params(stacks::joined_params(begin.params, added)),
                                 .lane = lane,
                                 .type = begin.type,
                                 .nesting = static_cast<uint32_t>(at)});
  }

  trace::EventSink& sink_;
  std::vector<std::vector<Open>> lanes_;
};

}  // namespace weft::formats::csv
