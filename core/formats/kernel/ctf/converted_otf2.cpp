#include "core/formats/kernel/ctf/converted_otf2.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <span>

#include "core/base/text.h"
#include "core/formats/base/json_text.h"
#include "core/formats/base/text.h"

namespace weft::formats::ctf {
namespace {

using otf2::LocationRef;
using otf2::Ref;

// Returns all bits set for a missing field: OTF2's value for none.
uint64_t number_of(const Event& event, const char* field) {
  return static_cast<uint64_t>(integer_of(event.payload(field)).value_or(-1));
}
Ref ref_of(const Event& event, const char* field) {
  return static_cast<Ref>(number_of(event, field));
}
uint8_t small_of(const Event& event, const char* field) {
  return static_cast<uint8_t>(number_of(event, field));
}

void append_text(std::string& json, std::string_view name, const std::string& text) {
  if (text.empty()) return;
  if (!json.empty()) json += ',';
  json += fmt::format("\"{}\":", name);
  json::append_quoted(json, text);
}

otf2::Events::Message message_of(const Event& event, const char* other) {
  otf2::Events::Message message{.rank = ref_of(event, other),
                                .comm = ref_of(event, "communicator"),
                                .tag = ref_of(event, "msgTag"),
                                .bytes = number_of(event, "msgLength")};
  if (const auto request = integer_of(event.payload("requestID")))
    message.request = static_cast<uint64_t>(*request);
  return message;
}

}  // namespace

ConvertedOtf2::Handler ConvertedOtf2::handler_of(std::string_view name) {
  struct Row {
    std::string_view name;
    Handler handler;
  };
  static constexpr Row kRows[] = {
      {"GlobalDef_ClockProperties", &ConvertedOtf2::define_clock},
      {"GlobalDef_String", &ConvertedOtf2::define_string},
      {"GlobalDef_SystemTreeNode", &ConvertedOtf2::define_node},
      {"GlobalDef_LocationGroup", &ConvertedOtf2::define_location_group},
      {"GlobalDef_Location", &ConvertedOtf2::define_location},
      {"GlobalDef_Region", &ConvertedOtf2::define_region},
      {"GlobalDef_CallingContext", &ConvertedOtf2::define_calling_context},
      {"GlobalDef_MetricMember", &ConvertedOtf2::define_metric_member},
      {"GlobalDef_MetricClass", &ConvertedOtf2::define_metric},
      {"GlobalDef_MetricInstance", &ConvertedOtf2::define_metric_instance},
      {"GlobalDef_Group", &ConvertedOtf2::define_group},
      {"GlobalDef_GroupMember", &ConvertedOtf2::add_group_member},
      {"GlobalDef_Comm", &ConvertedOtf2::define_communicator},
      {"Event_Enter", &ConvertedOtf2::enter},
      {"Event_Leave", &ConvertedOtf2::leave},
      {"Event_CallingContextEnter", &ConvertedOtf2::enter_context},
      {"Event_CallingContextLeave", &ConvertedOtf2::leave_context},
      {"Event_MpiSend", &ConvertedOtf2::send},
      {"Event_MpiIsend", &ConvertedOtf2::send},
      {"Event_MpiRecv", &ConvertedOtf2::receive},
      {"Event_MpiIrecv", &ConvertedOtf2::receive},
      {"Event_MpiCollectiveBegin", &ConvertedOtf2::begin_collective},
      {"Event_MpiCollectiveEnd", &ConvertedOtf2::end_collective},
      {"Event_Metric", &ConvertedOtf2::begin_metric},
      {"MetricValue_Double", &ConvertedOtf2::add_metric_value},
      {"MetricValue_Int64", &ConvertedOtf2::add_metric_value},
      {"MetricValue_UInt64", &ConvertedOtf2::add_metric_value},
  };
  const auto* const it = std::ranges::find(kRows, name, &Row::name);
  return it == std::end(kRows) ? nullptr : it->handler;
}

bool ConvertedOtf2::is_of_definitions(const bt_stream& stream) {
  const char* const path = bt_stream_get_name(&stream);
  const std::string_view name = path == nullptr ? std::string_view() : path;
  return file_name_of(name) == "global_def";
}

bool ConvertedOtf2::add(Handler handler, Event& event, uint64_t stream) {
  if (handler != nullptr && (this->*handler)(event, stream)) return true;
  texts_ = texts_of(event);
  event.more = texts_;
  return false;
}

// ---- Definitions

bool ConvertedOtf2::define_clock(const Event& event, uint64_t) {
  sink_.set_metadata("timer resolution", fmt::format("{} Hz", number_of(event, "timerResolution")));
  sink_.set_metadata("global offset", std::to_string(number_of(event, "globalOffset")));
  sink_.set_metadata("trace length", std::to_string(number_of(event, "traceLength")));
  return true;
}

bool ConvertedOtf2::define_string(const Event& event, uint64_t) {
  definitions_.strings[ref_of(event, "self")] = valid_utf8(text_of(event.payload("stringValue")));
  return true;
}

// Its class ("machine") is not shown.
bool ConvertedOtf2::define_node(const Event& event, uint64_t) {
  definitions_.nodes[ref_of(event, "self")] = {.name = ref_of(event, "name"),
                                               .kind = ref_of(event, "className"),
                                               .parent = ref_of(event, "systemTreeParent")};
  return false;
}

bool ConvertedOtf2::define_location_group(const Event& event, uint64_t) {
  definitions_.location_groups[ref_of(event, "self")] = {
      .name = ref_of(event, "name"), .parent = ref_of(event, "systemTreeParent")};
  return true;
}

bool ConvertedOtf2::define_location(const Event& event, uint64_t) {
  definitions_.locations[number_of(event, "self")] = {
      .name = ref_of(event, "name"),
      .group = ref_of(event, "locationGroup"),
      .type = static_cast<otf2::LocationType>(small_of(event, "locationType")),
      .events = number_of(event, "numberOfEvents")};
  return true;
}

// Its other properties become parameters of its states.
bool ConvertedOtf2::define_region(const Event& event, uint64_t) {
  otf2::Region region{.name = ref_of(event, "name"), .paradigm = small_of(event, "paradigm")};
  std::string json = fmt::format("\"region\":{}", ref_of(event, "self"));
  const auto text = [&](const char* field) { return definitions_.string(ref_of(event, field)); };
  if (text("canonicalName") != text("name"))
    append_text(json, "canonical name", text("canonicalName"));
  append_text(json, "description", text("description"));
  append_text(json, "file", text("sourceFile"));
  for (const auto& [name, field] :
       {std::pair("line", "beginLineNumber"), std::pair("last line", "endLineNumber"),
        std::pair("role", "regionRole"), std::pair("flags", "regionFlag")}) {
    const uint64_t number = number_of(event, field);
    if (number == 0 || number == ~uint64_t{0}) continue;
    json += fmt::format(",\"{}\":{}", name, number);
  }
  region.params = '{' + json + '}';
  definitions_.regions[ref_of(event, "self")] = std::move(region);
  return true;
}

bool ConvertedOtf2::define_calling_context(const Event& event, uint64_t) {
  definitions_.calling_contexts[ref_of(event, "self")] = {.region = ref_of(event, "region"),
                                                          .parent = ref_of(event, "parent")};
  return false;
}

bool ConvertedOtf2::define_metric_member(const Event& event, uint64_t) {
  definitions_.metric_members[ref_of(event, "self")] = {.name = ref_of(event, "name"),
                                                        .unit = ref_of(event, "unit")};
  return false;
}

bool ConvertedOtf2::define_metric(const Event& event, uint64_t) {
  std::vector<Ref>& members = definitions_.metrics[ref_of(event, "self")];
  members.clear();
  constexpr size_t kMostMembers = 256;  // OTF2 counts them in a byte
  const std::span<const Field> array = elements_of(event.payload("metricMembers"));
  for (const Field& member : array.first(std::min(array.size(), kMostMembers)))
    members.push_back(static_cast<Ref>(integer_of(&member).value_or(-1)));
  return false;
}

bool ConvertedOtf2::define_metric_instance(const Event& event, uint64_t) {
  const auto it = definitions_.metrics.find(ref_of(event, "metricClass"));
  if (it != definitions_.metrics.end())
    definitions_.metrics[ref_of(event, "self")] = std::vector(it->second);
  return false;
}

bool ConvertedOtf2::define_group(const Event& event, uint64_t) {
  definitions_.groups[ref_of(event, "self")] = {
      .type = static_cast<otf2::GroupType>(small_of(event, "groupType")),
      .paradigm = small_of(event, "paradigm"),
      .members = {}};
  return false;
}

// They come in the order of their ranks.
bool ConvertedOtf2::add_group_member(const Event& event, uint64_t) {
  const auto it = definitions_.groups.find(ref_of(event, "group"));
  if (it == definitions_.groups.end()) return false;
  otf2::Group& group = it->second;
  const uint64_t location = number_of(event, "location");
  if (number_of(event, "rank") != group.members.size()) return false;
  group.members.push_back(location);
  return true;
}

bool ConvertedOtf2::define_communicator(const Event& event, uint64_t) {
  definitions_.communicators[ref_of(event, "self")] = {.name = ref_of(event, "name"),
                                                       .group = ref_of(event, "group")};
  return false;
}

// ---- Events

void ConvertedOtf2::begin_events() {
  if (has_begun_) return;
  has_begun_ = true;
  for (const auto& [ref, group] : definitions_.groups) {
    if (group.type == otf2::GroupType::kCommLocations)
      definitions_.communicating[group.paradigm] = group.members;
  }
  events_.add_lanes();
}

// Some say theirs only by what the event before it in its stream said.
LocationRef ConvertedOtf2::location_of(const Event& event, uint64_t stream) {
  begin_events();
  LocationRef& location = streams_[stream].location;
  if (const auto number = integer_of(event.payload("locationID")))
    location = static_cast<LocationRef>(*number);
  return location;
}

LaneId ConvertedOtf2::lane_of(const Event& event, uint64_t stream) {
  if (is_definition(event.name)) return LaneId::none();
  const LocationRef location = location_of(event, stream);
  return location == otf2::kNoLocation ? LaneId::none() : events_.lane_of(location);
}

bool ConvertedOtf2::enter(const Event& event, uint64_t stream) {
  events_.enter(location_of(event, stream), event.time, ref_of(event, "region"));
  return true;
}

bool ConvertedOtf2::leave(const Event& event, uint64_t stream) {
  events_.leave(location_of(event, stream), event.time, ref_of(event, "region"));
  return true;
}

bool ConvertedOtf2::enter_context(const Event& event, uint64_t stream) {
  events_.enter_context(location_of(event, stream), event.time, ref_of(event, "callingContext"));
  return true;
}

bool ConvertedOtf2::leave_context(const Event& event, uint64_t stream) {
  events_.leave_context(location_of(event, stream), event.time, ref_of(event, "callingContext"));
  return true;
}

bool ConvertedOtf2::send(const Event& event, uint64_t stream) {
  events_.send(location_of(event, stream), event.time, message_of(event, "receiver"));
  return true;
}

bool ConvertedOtf2::receive(const Event& event, uint64_t stream) {
  events_.receive(location_of(event, stream), event.time, message_of(event, "sender"));
  return true;
}

bool ConvertedOtf2::begin_collective(const Event& event, uint64_t stream) {
  events_.begin_collective(location_of(event, stream), event.time);
  return false;
}

// Its links do not say how much was sent.
bool ConvertedOtf2::end_collective(const Event& event, uint64_t stream) {
  events_.end_collective(
      location_of(event, stream), event.time,
      {.operation = static_cast<otf2::CollectiveOp>(small_of(event, "collectiveOp")),
       .comm = ref_of(event, "communicator"),
       .root = ref_of(event, "root")});
  return false;
}

// Its values follow, an event each.
bool ConvertedOtf2::begin_metric(const Event& event, uint64_t stream) {
  location_of(event, stream);
  Stream& s = streams_[stream];
  s.metric = ref_of(event, "metric");
  s.values = 0;
  s.values_due = small_of(event, "numberOfMetrics");
  return true;
}

bool ConvertedOtf2::add_metric_value(const Event& event, uint64_t stream) {
  Stream& s = streams_[stream];
  const auto value = real_of(event.payload("metricValue"));
  if (!value || s.values == s.values_due) return false;
  events_.add_metric(location_of(event, stream), event.time, s.metric, s.values++, *value);
  return true;
}

std::string ConvertedOtf2::texts_of(const Event& event) const {
  struct Row {
    const char* field;
    std::string_view shown;
  };
  static constexpr Row kRows[] = {
      {"name", "name text"},
      {"className", "class"},
      {"description", "description text"},
      {"unit", "unit text"},
      {"identification", "identification text"},
      {"programName", "program"},
      {"stringID", "text"},
  };
  std::string json;
  for (const Row& row : kRows)
    append_text(json, row.shown, definitions_.string(ref_of(event, row.field)));
  if (event.name.ends_with("_String"))
    append_text(json, "text", definitions_.string(ref_of(event, "value")));
  return json;
}

void ConvertedOtf2::finish() {
  begin_events();
  events_.finish();
}

}  // namespace weft::formats::ctf
