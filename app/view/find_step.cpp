#include "app/view/find_step.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "app/view/lane_place.h"
#include "core/query/filter/filter_compiler.h"
#include "core/query/metrics/metrics.h"

namespace weft::app {
namespace {

using query::Direction;
using query::EventPlace;

EventPlace begin_of(const FindKey& key) {
  if (key.hit && key.hit->trace == key.trace && key.hit->text == key.text) {
    return key.direction == Direction::kNext ? successor(key.hit->place) : key.hit->place;
  }
  if (key.element) {
    const auto place = query::Elements(key.trace).place_of(*key.element);
    if (!place) return EventPlace::before(key.element->begin);
    return key.direction == Direction::kNext ? successor(*place) : *place;
  }
  return EventPlace::before(key.time);
}

// The first state that takes longest in the range or, where there is no state, the first such link.
std::optional<query::SearchHit> longest_hit(const FindKey& key, const query::Selection& selection,
                                            const query::Work& work) {
  const TimeRange range = selection.range;
  for (const auto& [id, field] : {std::pair("duration", "dur"), {"latency", "latency"}}) {
    const query::Metric& metric = *query::metric_from_id(id);
    const auto measured = metric.measure(*key.trace, selection, query::GroupBy::kType, work);
    if (measured.groups.empty()) continue;
    const int64_t most = std::ranges::max(measured.groups, {}, &query::Group::max).max;
    const auto is_longest = [&](const query::SearchHit& hit) {
      const store::Row& row = key.trace->row(hit.place.row);
      return metric.value(*key.trace, row, hit.record, range) == most;
    };
    // What takes so long there is at least as long. It may reach into the range.
    const std::string text =
        fmt::format("({}) && {} >= {} && end > {}", key.text, field, most, range.begin.ticks);
    const auto as_long = query::compile_filter(text, *key.trace, work.stop);
    if (!as_long) return std::nullopt;
    const EventPlace begin = EventPlace::before(range.begin);
    const query::Selection before{*as_long, query::whole_range(*key.trace)};
    auto hit = previous_hit(*key.trace, before, begin, work, key.progress.get());
    while (hit && !is_longest(*hit))
      hit = previous_hit(*key.trace, before, hit->place, work, key.progress.get());
    if (hit) return hit;
    const query::Selection within{*as_long, range};
    hit = next_hit(*key.trace, within, begin, work, key.progress.get());
    while (hit && !is_longest(*hit))
      hit = next_hit(*key.trace, within, successor(hit->place), work, key.progress.get());
    return hit;
  }
  return std::nullopt;
}

}  // namespace

std::optional<FindAnswer> find_hit(const FindKey& key, ThreadPool& pool,
                                   const std::stop_token& stop) {
  const auto filter = query::compile_filter(key.text, *key.trace, stop);
  FindAnswer answer;
  if (!filter) {
    answer.error = filter.error().one_line(key.text);
    return answer;
  }
  const bool is_next = key.direction == Direction::kNext;
  const query::Selection selection{*filter,
                                   key.longest_in.value_or(query::whole_range(*key.trace))};
  const query::Work work{pool, stop};
  const auto look = [&](EventPlace from) {
    return is_next ? next_hit(*key.trace, selection, from, work, key.progress.get())
                   : previous_hit(*key.trace, selection, from, work, key.progress.get());
  };
  auto hit = key.longest_in ? longest_hit(key, selection, work) : look(begin_of(key));
  if (!hit && !key.longest_in && !stop.stop_requested()) {
    answer.is_wrapped = true;
    hit = look(is_next ? EventPlace::before(selection.range.begin)
                       : EventPlace::after(selection.range.end));
  }
  if (stop.stop_requested()) return std::nullopt;
  if (!hit) return answer;
  const auto element = query::Elements(key.trace).at(hit->place);
  if (!element) return answer;
  answer.hit = FoundHit{key.trace, key.text, hit->place, element->ref};
  answer.place = place_of_lane({key.trace, key.lanes, answer.hit->element.lane});
  return answer;
}

}  // namespace weft::app
