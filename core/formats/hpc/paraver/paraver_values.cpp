#include "core/formats/hpc/paraver/paraver_values.h"

#include <algorithm>

#include "core/base/time.h"

namespace weft::formats::paraver {

using trace::Category;

void Values::add(int64_t number, const Event& event) {
  Type& type = type_of(number);
  if (type.kind == Kind::kUndecided && event.value == 0) decide(number, type, Kind::kState);
  if (type.kind == Kind::kUndecided) return keep(type, event);
  if (type.kind == Kind::kInstant) return give_instant(type, event);
  change(number, type, event);
}

void Values::finish(int64_t time) {
  give_kept();
  for (const auto& [key, stack] : open_) {
    for (const Event& open : stack) {
      sink_.note("event without an end", open.offset);
      end(key.second, types_[key.second], open, time);
    }
  }
}

void Values::keep(Type& type, const Event& event) {
  type.kept.push_back(event);
  if (++kept_ == kMostKept) give_kept();
}

void Values::decide(int64_t number, Type& type, Kind kind) {
  type.kind = kind;
  kept_ -= type.kept.size();
  for (const Event& each : std::exchange(type.kept, {})) change(number, type, each);
}

Values::Type& Values::type_of(int64_t number) {
  const auto [it, is_new] = types_.try_emplace(number);
  Type& type = it->second;
  if (is_new) {
    type.name = labels_.type_name(number);
    type.labels = &labels_.events.at(number);
    if (type.labels->values.contains(0)) type.kind = Kind::kState;
  }
  return type;
}

void Values::change(int64_t number, Type& type, const Event& event) {
  if (type.kind == Kind::kFlat) return replace(number, type, event);
  if (type.kind == Kind::kNested) return nest(number, type, event);
  const bool is_first = type.kind == Kind::kState;
  if (is_first && (event.value == 0 || open_[{event.thread, number}].empty()))
    return replace(number, type, event);
  type.kind = Kind::kPerhapsNested;
  if (shows_nesting(number, event)) {
    decide(number, type, Kind::kNested);
    return nest(number, type, event);
  }
  keep(type, event);
}

bool Values::shows_nesting(int64_t number, const Event& event) {
  const Key key(event.thread, number);
  const auto [it, is_new] = depths_.try_emplace(key);
  Depth& depth = it->second;
  if (is_new) depth.now = open_[key].size();
  if (event.value != 0) {
    depth.most = std::max(depth.most, ++depth.now);
    return false;
  }
  return depth.now > 0 && --depth.now == 0 && depth.most > 1;
}

// Ends the state of the last value and begins the next; 0 begins nothing.
void Values::replace(int64_t number, const Type& type, const Event& event) {
  std::vector<Event>& open = open_[{event.thread, number}];
  for (const Event& each : open) end(number, type, each, event.time);
  open.clear();
  if (event.value != 0) open.push_back(event);
}

// 0 ends what began last.
void Values::nest(int64_t number, const Type& type, const Event& event) {
  constexpr size_t kMostDepth = 1 << 12;
  std::vector<Event>& open = open_[{event.thread, number}];
  if (event.value != 0) {
    if (open.size() >= kMostDepth) return sink_.loss("event that lies too deep", event.offset);
    return open.push_back(event);
  }
  if (open.empty()) return;
  const Event last = open.back();
  open.pop_back();
  end(number, type, last, event.time);
}

void Values::end(int64_t number, const Type& type, const Event& open, int64_t time) {
  if (time < open.time) return sink_.loss("event that ends before it begins", open.offset);
  sink_.give(trace::StateEvent{
      .begin = {open.time},
      .duration = {saturating_sub(time, open.time)},
      .lane = lanes_.of_events(open.thread, number, type.name),
      .type = sink_.type(Category::kState, type.labels->value_name(open.value), type.name)});
}

void Values::give_kept() {
  for (auto& [number, type] : types_) {
    if (type.kind == Kind::kPerhapsNested) decide(number, type, Kind::kFlat);
    if (type.kind != Kind::kUndecided) continue;
    type.kind = Kind::kInstant;
    for (const Event& each : std::exchange(type.kept, {})) give_instant(type, each);
  }
  kept_ = 0;
}

void Values::give_instant(const Type& type, const Event& event) {
  sink_.give(trace::PunctualEvent{
      .time = {event.time},
      .lane = lanes_.thread(event.thread),
      .type = sink_.type(Category::kPunctual, type.labels->value_name(event.value), type.name)});
}

}  // namespace weft::formats::paraver
