#include "core/formats/paraver/paraver_values.h"

#include "core/base/time.h"

namespace weft::formats::paraver {

using trace::Category;

void Values::add(int64_t number, const Event& event) {
  Type& type = type_of(number);
  if (type.kind == Kind::kUndecided && event.value == 0) {
    type.kind = Kind::kState;
    kept_ -= type.kept.size();
    for (const Event& each : std::exchange(type.kept, {})) change(number, type, each);
  }
  if (type.kind == Kind::kState) return change(number, type, event);
  if (type.kind == Kind::kInstant) return give_instant(type, event);
  type.kept.push_back(event);
  if (++kept_ == kMostKept) give_kept();
}

void Values::finish(int64_t time) {
  give_kept();
  for (const auto& [key, open] : open_) {
    if (open.value == 0) continue;
    sink_.loss("event without an end", open.offset, 1, false);
    end(key.second, types_[key.second], open, time);
  }
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

// What began with the last value ends; 0 begins nothing.
void Values::change(int64_t number, const Type& type, const Event& event) {
  Event& open = open_[{event.thread, number}];
  if (open.value != 0) end(number, type, open, event.time);
  open = event;
}

void Values::end(int64_t number, const Type& type, const Event& open, int64_t time) {
  if (time < open.time) return sink_.loss("event that ends before it begins", open.offset);
  const trace::StateEvent event{
      .begin = {open.time},
      .duration = {saturating_sub(time, open.time)},
      .lane = lanes_.of_events(open.thread, number, type.name),
      .type = sink_.type(Category::kState, type.labels->value_name(open.value), type.name)};
  sink_.states({&event, 1});
}

void Values::give_kept() {
  for (auto& [number, type] : types_) {
    if (type.kind != Kind::kUndecided) continue;
    type.kind = Kind::kInstant;
    for (const Event& each : std::exchange(type.kept, {})) give_instant(type, each);
  }
  kept_ = 0;
}

void Values::give_instant(const Type& type, const Event& event) {
  const trace::PunctualEvent punctual{
      .time = {event.time},
      .lane = lanes_.thread(event.thread),
      .type = sink_.type(Category::kPunctual, type.labels->value_name(event.value), type.name)};
  sink_.punctuals({&punctual, 1});
}

}  // namespace weft::formats::paraver
