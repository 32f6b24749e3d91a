#include "core/formats/general/chrome_json/stack_pairing.h"

#include <algorithm>
#include <utility>

#include "core/base/text_hash.h"

namespace weft::formats::chrome_json {
namespace {

// A begin or an end that is kept, in a vector that doubles as it grows.
template <class Event>
uint64_t bytes_of(const Event& event) {
  return 2 * sizeof(Event) + heap_bytes(event.json);
}

}  // namespace

uint32_t StackPairing::tag_of(std::string_view name) {
  return name.empty() ? 0 : static_cast<uint32_t>(TextHash()(name)) | 1;
}

size_t StackPairing::depth(LaneId lane) const {
  const auto it = lanes_.find(lane);
  return it == lanes_.end() ? 0 : it->second.stack.size();
}

void StackPairing::put_in_order(LaneId lane, Begin begin) {
  put_in_order({begin.time, lane.value(), begin.offset, begin.type, begin.name, true,
                std::move(begin.json)});
}

void StackPairing::put_in_order(LaneId lane, End end) {
  put_in_order({end.time, lane.value(), end.offset, EventTypeId::none(), end.name, false,
                std::move(end.json)});
}

void StackPairing::put_in_order(Event event) {
  if (waiting_memory_.is_full()) end_disorder();
  waiting_memory_.hold(heap_bytes(event.json));
  window_.add(event.lane, event.time, take()) = std::move(event);
}

void StackPairing::end_disorder() { window_.give_all(take()); }

void StackPairing::take(LaneId id, Event& event) {
  waiting_memory_.release(heap_bytes(event.json));
  if (event.time < lanes_[id].last_end)
    output_.sink.note(stacks::kRanBackwards, {event.offset, id, event.time});
  if (event.is_begin) {
    begin(id, {event.time, event.offset, event.type, event.name, std::move(event.json)});
  } else {
    end(id, {event.time, event.offset, event.name, std::move(event.json)});
  }
}

void StackPairing::note_end(LaneId id, Time end) {
  Lane& lane = lanes_[id];
  lane.last_end = std::max(lane.last_end, end);
}

void StackPairing::begin(LaneId lane, Begin begin) {
  if (waiting_memory_.is_full()) {
    return output_.sink.loss("begin beyond the memory for open states",
                             {begin.offset, lane, begin.time});
  }
  waiting_memory_.hold(bytes_of(begin));
  lanes_[lane].stack.push_back(std::move(begin));
}

bool StackPairing::end(LaneId id, End end) {
  Lane& lane = lanes_[id];
  const bool is_pair = !lane.stack.empty() && lane.stack.back().time <= end.time;
  if (is_pair) {
    const Begin& begin = lane.stack.back();
    if (end.name != 0 && end.name != begin.name) {
      output_.sink.note("end with another name than its begin", end.offset);
    }
    emit(id, begin, end.time, end.json, lane.stack.size() - 1);
    waiting_memory_.release(bytes_of(begin));
    lane.stack.pop_back();
    lane.last_end = std::max(lane.last_end, end.time);
    return true;
  }
  if (waiting_memory_.is_full()) {
    output_.sink.loss("end without a begin", {end.offset, id, end.time});
  } else {
    waiting_memory_.hold(bytes_of(end));
    lane.late_ends.push_back(std::move(end));
  }
  return false;
}

// Nesting counts from 1: where a complete event ("X") covers the same time, it is the outer one.
void StackPairing::emit(LaneId lane, const Begin& begin, Time end, std::string_view end_json,
                        size_t depth) {
  std::string json = join_params(begin.json, end_json);
  trace::StateEvent state{.begin = begin.time,
                          .duration = end - begin.time,
                          .lane = lane,
                          .type = begin.type,
                          .nesting = static_cast<uint32_t>(depth + 1)};
  if (output_.has_stacks && may_name_stack(json)) {
    return output_.stacked.push_back({trace::Category::kState, state, std::move(json)});
  }
  state.params = output_.sink.params(json);
  output_.states.push_back(state);
  output_.flush_full();
}

void StackPairing::finish(Time end) {
  end_disorder();
  for (auto& [id, lane] : lanes_) finish_lane(id, lane, end);
  lanes_.clear();
}

void StackPairing::finish_lane(LaneId id, Lane& lane, Time end) {
  std::vector<Begin>& begins = lane.stack;
  std::vector<End>& ends = lane.late_ends;
  if (!ends.empty()) {
    std::ranges::stable_sort(begins, {}, &Begin::time);
    std::ranges::stable_sort(ends, {}, &End::time);
  }
  std::vector<const Begin*> stack;
  size_t next = 0;
  const auto open_until = [&](Time time) {
    while (next < begins.size() && begins[next].time < time) stack.push_back(&begins[next++]);
  };
  for (const End& e : ends) {
    open_until(e.time);
    if (stack.empty()) {
      output_.sink.loss("end without a begin", {e.offset, id, e.time});
      continue;
    }
    output_.sink.note("end and begin not in order of time", {e.offset, id, e.time});
    emit(id, *stack.back(), e.time, e.json, stack.size() - 1);
    stack.pop_back();
  }
  for (; next < begins.size(); ++next) stack.push_back(&begins[next]);
  for (size_t depth = 0; depth < stack.size(); ++depth) {
    output_.sink.note("begin without an end", {stack[depth]->offset, id, stack[depth]->time});
    emit(id, *stack[depth], std::max(end, stack[depth]->time), {}, depth);
  }
}

}  // namespace weft::formats::chrome_json
