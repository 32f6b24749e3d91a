#include "core/formats/general/custom/event_maker.h"

#include <algorithm>
#include <functional>

#include "core/formats/base/json_members.h"
#include "core/trace/message_id.h"

namespace weft::formats::custom {

using trace::Category;

namespace {

// Ids that are not numbers go by their hash.
uint64_t uid_of(std::string_view id) {
  return trace::message_id_from_text(id).value_or(std::hash<std::string_view>()(id));
}

void append_params(std::string& members, const Event& event) {
  for (const auto& [name, text] : event.params) append_member(members, name, text);
}

}  // namespace

EventMaker::EventMaker(trace::EventSink& sink, uint64_t max_bytes)
    : sink_(sink),
      max_open_(max_bytes / 4 / sizeof(Open)),
      lanes_(sink),
      nested_(sink),
      messages_(sink, max_bytes / 2, [](LaneId) { return std::string(); }) {}

void EventMaker::add(const Event& event) {
  latest_ = std::max({latest_.value_or(event.time), event.time, event.end.value_or(event.time)});
  if (event.makes == Makes::kLink) return link(event);
  if (event.makes == Makes::kEnd && !event.id.empty()) return end_of_id(event);
  const LaneId lane = lanes_.lane_of(event.lane);
  switch (event.makes) {
    case Makes::kEvent: {
      return sink_.give(trace::PunctualEvent{.time = event.time,
                                             .params = params_of(event),
                                             .lane = lane,
                                             .type = type_of(Category::kPunctual, event.type)});
    }
    case Makes::kState: {
      const EventTypeId type = type_of(Category::kState, event.type);
      return give_state(lane, type, event.time, *event.end, params_of(event));
    }
    case Makes::kBegin:
      return begin(event, lane);
    case Makes::kEnd:
      if (event.type.empty()) return nested_.end(lane, event.time, event.offset, text_of(event));
      return nested_.end_of(lane, type_of(Category::kState, event.type), event.time, event.offset,
                            text_of(event));
    case Makes::kChange:
      return change(event, lane);
    case Makes::kValue: {
      return sink_.give(trace::VariableSample{.time = event.time,
                                              .value = event.value,
                                              .params = params_of(event),
                                              .lane = lane,
                                              .type = type_of(Category::kVariable, event.type)});
    }
    case Makes::kSend:
    case Makes::kReceive:
      return pass(event, lane);
    case Makes::kLink:
    case Makes::kChild:
    case Makes::kLoss:
    case Makes::kNothing:
      return;
  }
}

void EventMaker::begin(const Event& event, LaneId lane) {
  const EventTypeId type = type_of(Category::kState, event.type);
  const std::string_view params = text_of(event);
  if (event.id.empty()) return nested_.begin(lane, type, event.time, params, event.offset);
  const Open open{type, lane, event.time, std::string(params), event.offset};
  const auto known = by_id_.find(event.id);
  if (known != by_id_.end()) {
    sink_.note("begin without an end",
               {known->second.offset, known->second.lane, known->second.begin});
    give(known->second, std::max(known->second.begin, event.time));
    known->second = open;
  } else if (by_id_.size() >= max_open_) {
    sink_.loss("state beyond the memory", {event.offset, lane, event.time});
  } else {
    by_id_.emplace(std::string(event.id), open);
  }
}

void EventMaker::end_of_id(const Event& event) {
  const auto known = by_id_.find(event.id);
  if (known == by_id_.end())
    return sink_.note(kEndAlone, {event.offset, LaneId::none(), event.time});
  give(known->second, event.time, text_of(event));
  by_id_.erase(known);
}

// A change to nothing ends what there is.
void EventMaker::change(const Event& event, LaneId lane) {
  const auto known = changes_.find(lane.value());
  if (known != changes_.end()) {
    give(known->second, event.time);
    changes_.erase(known);
  }
  if (event.type.empty()) return;
  changes_.emplace(lane.value(), Change{type_of(Category::kState, event.type), lane, event.time,
                                        params_of(event), event.offset});
}

void EventMaker::link(const Event& event) {
  sink_.give(trace::LinkEvent{.send = event.time,
                              .receive = event.end.value_or(event.time),
                              .params = params_of(event),
                              .source = end_of_link(event.from),
                              .target = end_of_link(event.to),
                              .type = type_of(Category::kLink, event.type)});
}

void EventMaker::pass(const Event& event, LaneId lane) {
  if (event.id.empty())
    return sink_.loss("message without an id", {event.offset, lane, event.time});
  messages::MessageNote note{.uid = uid_of(event.id), .offset = event.offset, .time = event.time};
  append_params(note.params, event);
  if (!event.type.empty()) note.type = type_of(Category::kLink, event.type);
  const bool is_said = trace::message_id_from_text(event.id) || messages_.is_under_way(note.uid);
  if (!is_said) append_member(note.params, "id", event.id);
  const bool is_sent = event.makes == Makes::kSend;
  (is_sent ? note.sender : note.receiver) = lane;
  is_sent ? messages_.send(note) : messages_.receive(note);
}

void EventMaker::give(const Open& open, Time end, std::string_view added) {
  if (end < open.begin)
    return sink_.loss("end before its begin", {open.offset, open.lane, open.begin});
  give_state(open.lane, open.type, open.begin, end,
             sink_.params(stacks::joined_params(open.params, added)));
}

void EventMaker::give(const Change& change, Time end) {
  if (end < change.begin)
    return sink_.loss("end before its begin", {change.offset, change.lane, change.begin});
  give_state(change.lane, change.type, change.begin, end, change.params);
}

void EventMaker::give_state(LaneId lane, EventTypeId type, Time begin, Time end, ParamsId params) {
  sink_.give(trace::StateEvent{
      .begin = begin, .duration = end - begin, .params = params, .lane = lane, .type = type});
}

void EventMaker::finish() {
  const Time end = latest_.value_or(Time{});
  nested_.finish(end);
  for (const auto& [id, open] : by_id_) {
    sink_.note("begin without an end", {open.offset, open.lane, open.begin});
    give(open, end);
  }
  for (const auto& [lane, open] : changes_) give(open, end);
  messages_.finish();
}

EventTypeId EventMaker::type_of(Category category, std::string_view name) {
  if (name.empty()) name = "event";
  EventTypeId& type = value_of(types_[static_cast<int>(category)], name, EventTypeId::none());
  if (type.is_none()) type = sink_.type(category, valid_utf8(name));
  return type;
}

std::string_view EventMaker::text_of(const Event& event) {
  if (event.params.empty()) return {};
  text_ = '{';
  append_params(text_, event);
  text_ += '}';
  return text_;
}

ParamsId EventMaker::params_of(const Event& event) { return sink_.params(text_of(event)); }

}  // namespace weft::formats::custom
