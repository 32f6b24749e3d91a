// Measurements, process information and links from events of a .NET trace.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "core/base/text.h"
#include "core/formats/base/text.h"
#include "core/formats/profiles/nettrace/nettrace_player.h"
#include "core/formats/profiles/nettrace/nettrace_runtime.h"

namespace weft::formats::nettrace {
namespace {

// Counters stand in an object, which lies in another one.
const std::vector<Value>* counter_in(const std::vector<Value>& values) {
  if (Values::find_in(values, "Name") != nullptr) return &values;
  for (const Value& value : values) {
    if (value.parts.empty()) continue;
    if (const auto* found = counter_in(value.parts)) return found;
  }
  return nullptr;
}

// Meters write their numbers as texts.
std::optional<double> number_of(const Value* value) {
  if (value == nullptr) return std::nullopt;
  if (value->form != Value::Form::kText) return value->number();
  return parse_number<double>(value->text);
}

}  // namespace

void Player::add_variable(LaneId lane, std::string_view name, std::string_view group, Time time,
                          double value, ParamsId params) {
  sink_.give(trace::VariableSample{
      .time = time,
      .value = value,
      .params = params,
      .lane = lane,
      .type = sink_.type(trace::Category::kVariable, valid_utf8(name), valid_utf8(group))});
}

void Player::add_statistics(const Event& event, const Values& values, std::string_view lane) {
  for (const Value& value : values.all()) {
    const auto number = value.number();
    if (number && value.name != "ClrInstanceID" && value.name != "Reason")
      add_variable(of_process(event.process, lane), value.name, kRuntimeProvider, event.time,
                   *number);
  }
}

// One counts since the last time, or says the mean of what was measured since.
void Player::add_counter(const Event& event, const Values& values) {
  const std::vector<Value>* counter = counter_in(values.all());
  const Value* value = nullptr;
  if (counter != nullptr) {
    value = Values::find_in(*counter, "Mean");
    if (value == nullptr) value = Values::find_in(*counter, "Increment");
  }
  const auto number = value != nullptr ? value->number() : std::nullopt;
  if (!number) return add_instant(event, values, thread(event));
  std::string name(Values::text_in(*counter, "Name"));
  const std::string_view unit = Values::text_in(*counter, "DisplayUnits");
  if (!unit.empty()) name += fmt::format(" ({})", unit);
  const std::string& provider = event.of->kind.provider;
  const std::string json = params_of(event, values);
  add_variable(of_process(event.process, "counters/" + provider), name, provider, event.time,
               *number, sink_.params(json));
}

// An instrument with its tags; a histogram says its quantiles as a text.
void Player::add_meter(const Event& event, const Values& values) {
  std::string name(values.text("instrumentName"));
  if (const std::string_view tags = values.text("tags"); !tags.empty())
    name += fmt::format(" {{{}}}", tags);
  const LaneId lane =
      of_process(event.process, fmt::format("counters/{}", values.text("meterName")));
  bool has_value = false;
  for (const std::string_view field : {"rate", "value", "lastValue", "count", "sum"}) {
    const auto number = number_of(values.find(field));
    if (!number) continue;
    add_variable(lane, fmt::format("{} {}", name, field), values.text("meterName"), event.time,
                 *number);
    has_value = true;
  }
  std::string_view quantiles = values.text("quantiles");  // "0.5=12;0.95=20"
  while (!quantiles.empty()) {
    const size_t end = std::min(quantiles.find(';'), quantiles.size());
    const std::string_view one = quantiles.substr(0, end);
    const size_t equals = std::min(one.find('='), one.size());
    if (const auto number = parse_number<double>(one.substr(std::min(equals + 1, one.size())))) {
      add_variable(lane, fmt::format("{} {}", name, one.substr(0, equals)),
                   values.text("meterName"), event.time, *number);
      has_value = true;
    }
    quantiles.remove_prefix(std::min(end + 1, quantiles.size()));
  }
  if (!has_value) add_instant(event, values, thread(event));
}

void Player::add_about(const Event& event, const Values& values) {
  for (const Value& value : values.all()) {
    if (value.form == Value::Form::kText && !value.text.empty())
      sink_.set_metadata(valid_utf8(value.name), valid_utf8(value.text));
  }
  if (values.find("VMMajorVersion") != nullptr) {
    sink_.set_metadata("runtime version",
                       fmt::format("{}.{}.{}.{}", values.integer("VMMajorVersion"),
                                   values.integer("VMMinorVersion"),
                                   values.integer("VMBuildNumber"), values.integer("VMQfeNumber")));
  }
  // The program, without its folder and what it was told.
  std::string_view command = values.text("CommandLine");
  command = file_name_of(command.substr(0, command.find(' ')));
  if (!command.empty() && named_.insert(event.process).second) {
    sink_.update_lane(process(event.process),
                      process_lane(event.process, fmt::format("process {}: {}", event.process,
                                                              valid_utf8(command))));
  }
}

void Player::add_link(const Event& event, const Values& values) {
  constexpr size_t kMostSent = 1 << 18;
  const std::string key =
      fmt::format("{} {} {}", event.process, event.of->link, values.integer(event.of->link_key));
  if (event.of->is_send) {
    if (sent_.size() < kMostSent)
      sent_.insert_or_assign(key, Sent{thread(event), event.time});
    else
      sink_.loss("link beyond the most that are open", event.offset);
    return;
  }
  const auto it = sent_.find(key);
  if (it == sent_.end()) return;  // it was sent before the trace
  sink_.give(trace::LinkEvent{.send = it->second.time,
                              .receive = event.time,
                              .source = it->second.lane,
                              .target = thread(event),
                              .type = sink_.type(trace::Category::kLink, event.of->link,
                                                 valid_utf8(event.of->kind.provider))});
  sent_.erase(it);
}

}  // namespace weft::formats::nettrace
