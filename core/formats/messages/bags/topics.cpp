#include "core/formats/messages/bags/topics.h"

#include <algorithm>
#include <cstddef>
#include <span>

#include "core/base/text.h"

namespace weft::formats::bags {

using trace::Category;

void Topics::add_topic(uint32_t id, std::string_view name, std::string_view type,
                       std::string_view encoding) {
  if (topics_.contains(id)) return;
  const LaneId lane = sink_.add_lane({.name = valid_utf8(name.empty() ? "topic" : name)});
  const std::string shown = valid_utf8(type.empty() ? "message" : type);
  topics_[id] = {lane, sink_.type(Category::kPunctual, shown, valid_utf8(encoding)),
                 encoding == "json"};
}

void Topics::add(uint32_t topic, const Message& message, ArgsText& params) {
  constexpr size_t kMostBytes = 1024;
  const auto it = topics_.find(topic);
  if (it == topics_.end()) {
    params.clear();
    return sink_.loss("message of a topic that is not described", message.offset);
  }
  params.add("bytes", message.bytes.size());
  const bool is_text = it->second.is_json && message.bytes.size() <= kMostBytes;
  if (is_text) {
    params.name("message");
    params.json(message.bytes);
  }
  const std::string_view kept = is_text ? "" : message.bytes.substr(0, kMostBytes);
  sink_.give(
      trace::PunctualEvent{.time = message.time,
                           .params = sink_.params(params.take(), std::as_bytes(std::span(kept))),
                           .lane = it->second.lane,
                           .type = it->second.type});
}

Time time_from(uint64_t ns) {
  return {static_cast<int64_t>(std::min(ns, static_cast<uint64_t>(Time::max().ticks)))};
}

}  // namespace weft::formats::bags
