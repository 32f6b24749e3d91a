#include "core/formats/kernel/ctf/ros_link.h"

#include <fmt/core.h>

#include <algorithm>

#include "core/base/text.h"
#include "core/formats/base/json_text.h"
#include "core/trace/message_id.h"

namespace weft::formats::ctf {
namespace {

using trace::Category;

// `since`: the message's first event. Times may lie so far apart that no number says it.
void append_steps(std::string& json, const RosEnd& end, Time since) {
  for (const RosStep& step : end.steps) {
    json += fmt::format(",\"{}\":{{", step.name);
    int64_t after = 0;
    const bool has_after = !__builtin_sub_overflow(step.time.ticks, since.ticks, &after);
    if (has_after && after != 0) json += fmt::format("\"after_ns\":{}", after);
    if (json.back() != '{' && !step.fields.empty()) json += ',';
    json += step.fields + '}';
  }
}

}  // namespace

std::optional<Address> RosEvent::address(const char* field) const {
  const auto number = integer_of(event.payload(field));
  if (!number) return std::nullopt;
  return Address{process, static_cast<uint64_t>(*number)};
}

bool RosEnd::has_step(std::string_view name) const {
  return std::ranges::find(steps, name, &RosStep::name) != steps.end();
}

void append_text_member(std::string& json, std::string_view name, std::string_view text) {
  if (text.empty()) return;
  json += fmt::format(",\"{}\":", name);
  json::append_quoted(json, valid_utf8(text));
}

void RosLinks::give_back(const RosStep& step, std::string_view provider, LaneId lane) {
  const std::string name = fmt::format("{}:{}", provider, step.name);
  sink_.give(trace::PunctualEvent{.time = step.time,
                                  .params = sink_.params('{' + step.fields + '}'),
                                  .lane = lane,
                                  .type = sink_.type(Category::kPunctual, name)});
}

void RosLinks::give(const RosMessage& message, const RosEnd& from, const RosEnd& to) {
  if (from.lane.is_none() && to.lane.is_none()) return;
  std::string json = fmt::format("{{\"id\":{}", ++count_);
  append_text_member(json, message.part.empty() ? "topic" : "service", message.topic);
  append_text_member(json, "publisher", from.node);
  append_text_member(json, "subscriber", to.node);
  if (message.stamp) json += fmt::format(",\"stamp\":{}", *message.stamp);
  if (message.is_paired_by_time) json += R"(,"paired_by":"time")";
  if (message.is_dropped) json += fmt::format(",{}", trace::kDroppedMember);
  const RosEnd& first = from.lane.is_none() ? to : from;
  const Time since = first.steps.empty() ? first.time : first.steps.front().time;
  append_steps(json, from, since);
  append_steps(json, to, since);
  json += '}';
  std::string name = message.topic.empty() ? "message" : valid_utf8(message.topic);
  if (!message.part.empty()) name += fmt::format(" {}", message.part);
  sink_.give(trace::LinkEvent{
      .send = from.time,
      .receive = to.time,
      .params = sink_.params(json),
      .source = from.lane,
      .target = to.lane,
      .type =
          sink_.type(Category::kLink, name, message.part.empty() ? "ROS topics" : "ROS services")});
}

}  // namespace weft::formats::ctf
