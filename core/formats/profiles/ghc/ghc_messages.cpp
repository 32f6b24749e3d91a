#include "core/formats/profiles/ghc/ghc_messages.h"

#include <fmt/core.h>

#include "core/formats/base/args_text.h"
#include "core/formats/profiles/ghc/ghc_fields.h"

namespace weft::formats::ghc {

void Messages::learn(const Event& event) {
  std::string_view payload = event.payload;
  if (event.type == kMachineCreate) machine_ = take_big<uint16_t>(payload);
}

bool Messages::play(const Event& event) {
  if (event.type < kSend || event.type > kSendLocal) return false;
  ArgsText fields;
  add_fields(event.type, event.payload, fields);
  const ParamsId params = sink_.params(fields.whole());
  return event.type == kSend      ? send(event, params)
         : event.type == kReceive ? receive(event, params)
                                  : send_local(event, params);
}

bool Messages::send(const Event& event, ParamsId params) {
  BinaryFields fields(event.payload);
  const auto tag = fields.big<uint8_t>();
  const auto from = fields.big<uint32_t>(), thread = fields.big<uint32_t>();
  const auto machine = fields.big<uint16_t>();
  const auto to = fields.big<uint32_t>(), port = fields.big<uint32_t>();
  if (fields.has_failed()) return false;
  const Sent sent{.time = event.time, .lane = lane_of_thread_(thread), .params = params};
  if (is_elsewhere(machine) || held_ == kMostHeld) {
    give(&sent, LaneId::none(), {}, params);
  } else {
    sent_[{tag, from, thread, to, port}].push_back(sent);
    ++held_;
  }
  return true;
}

bool Messages::receive(const Event& event, ParamsId params) {
  BinaryFields fields(event.payload);
  const auto tag = fields.big<uint8_t>();
  const auto to = fields.big<uint32_t>(), port = fields.big<uint32_t>();
  const auto machine = fields.big<uint16_t>();
  const auto from = fields.big<uint32_t>(), thread = fields.big<uint32_t>();
  if (fields.has_failed()) return false;
  const auto queue =
      is_elsewhere(machine) ? sent_.end() : sent_.find({tag, from, thread, to, port});
  if (queue == sent_.end()) {
    give(nullptr, process(to), event.time, params);
    return true;
  }
  give(&queue->second.front(), process(to), event.time, params);
  queue->second.pop_front();
  --held_;
  if (queue->second.empty()) sent_.erase(queue);
  return true;
}

bool Messages::send_local(const Event& event, ParamsId params) {
  BinaryFields fields(event.payload);
  fields.big<uint8_t>();   // the tag
  fields.big<uint32_t>();  // the process that sent
  const auto thread = fields.big<uint32_t>(), to = fields.big<uint32_t>();
  if (fields.has_failed()) return false;
  const Sent sent{.time = event.time, .lane = lane_of_thread_(thread), .params = params};
  give(&sent, process(to), event.time, params);
  return true;
}

// Null: it was sent by another machine; no target: to another machine.
void Messages::give(const Sent* sent, LaneId target, Time received, ParamsId params) {
  sink_.give(trace::LinkEvent{.send = sent == nullptr ? received : sent->time,
                              .receive = received,
                              .params = params,
                              .source = sent == nullptr ? LaneId::none() : sent->lane,
                              .target = target,
                              .type = sink_.type(trace::Category::kLink, "message")});
}

LaneId Messages::process(uint32_t number) {
  LaneId& lane = processes_.try_emplace(number, LaneId::none()).first->second;
  if (!lane.is_none()) return lane;
  if (group_.is_none()) group_ = sink_.add_lane({.name = "Processes"});
  lane = sink_.add_lane({.name = fmt::format("process {}", number),
                         .parent = group_,
                         .kind = trace::LaneKind::kProcess,
                         .sort_index = static_cast<int32_t>(number & 0x7FFFFFFF)});
  return lane;
}

void Messages::finish() {
  for (const auto& [key, queue] : sent_) {
    for (const Sent& each : queue) give(&each, LaneId::none(), {}, each.params);
  }
}

}  // namespace weft::formats::ghc
