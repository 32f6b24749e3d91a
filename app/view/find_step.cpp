#include "app/view/find_step.h"

#include "app/view/lane_place.h"
#include "core/query/filter/filter_compiler.h"

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
  const query::Selection selection{*filter, query::whole_range(*key.trace)};
  const auto look = [&](EventPlace from) {
    const query::Work work{pool, stop};
    return is_next ? next_hit(*key.trace, selection, from, work, key.progress.get())
                   : previous_hit(*key.trace, selection, from, work, key.progress.get());
  };
  auto hit = look(begin_of(key));
  if (!hit && !stop.stop_requested()) {
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
