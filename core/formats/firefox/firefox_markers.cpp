#include "core/formats/firefox/firefox_markers.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

#include "core/formats/chrome_json/json_text.h"

namespace weft::formats::firefox {
namespace {

using json::Element;
using json::member;

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

template <class Value>
Value at(const std::vector<Value>& column, size_t i, Value none) {
  return i < column.size() ? column[i] : none;
}

}  // namespace

bool time_from(double ms, Time& out) {
  constexpr double kMost = 9.2e18, kNanoseconds = 1e6;
  const double ns = ms * kNanoseconds;
  if (!(std::abs(ns) < kMost)) return false;
  out = {std::llround(ns)};
  return true;
}

MarkerSchema marker_schema_of(std::optional<Element> meta) {
  MarkerSchema schema;
  json::for_each_element(member(meta, "categories"), [&](Element category) {
    schema.categories.emplace_back(json::text(member(category, "name")));
  });
  json::for_each_element(member(meta, "markerSchema"), [&](Element marker) {
    for (const std::string_view list : {"fields", "data"}) {
      json::for_each_element(member(marker, list), [&](Element field) {
        const std::string_view format = json::text(member(field, "format"));
        const bool is_last = format == "terminating-flow-id",
                   is_flow = is_last || format == "flow-id";
        if (!is_flow && format != "unique-string") return;
        const std::string name(json::text(member(marker, "name"))),
            key(json::text(member(field, "key")));
        schema.strings[name].insert(key);
        if (is_flow) schema.flows[name][key] = is_last;
      });
    }
  });
  return schema;
}

std::vector<NamedTime> begins_of(const Table& markers, const std::vector<std::string>& strings) {
  const auto names = markers.indices("name");
  const auto begins = markers.numbers("startTime"), times = markers.numbers("time");
  const auto data = markers.column("data");
  std::vector<NamedTime> out;
  for (size_t i = 0; i < names.size(); ++i) {
    const auto value = at(data, i, std::optional<Element>());
    const bool is_named = names[i] >= 0 && static_cast<size_t>(names[i]) < strings.size();
    if (!is_named || json::text(member(value, "interval")) == "end") continue;
    const double ms =
        json::number(member(value, "startTime")).value_or(at(begins, i, at(times, i, kNone)));
    out.push_back({strings[static_cast<size_t>(names[i])], ms});
  }
  return out;
}

// In order of time, those of one instant as they were read.
void MarkerFlows::finish(trace::EventSink& sink) {
  std::ranges::stable_sort(points_, [](const Point& a, const Point& b) {
    return std::tie(a.flow, a.time) < std::tie(b.flow, b.time);
  });
  for (size_t i = 1; i < points_.size(); ++i) {
    const Point &from = points_[i - 1], &to = points_[i];
    if (from.flow != to.flow || from.is_last) continue;
    const trace::LinkEvent link{.send = from.time,
                                .receive = to.time,
                                .source = from.lane,
                                .target = to.lane,
                                .type = from.type};
    sink.links({&link, 1});
  }
  points_.clear();
}

void Markers::read(const Table& table, LaneId thread) {
  const auto names = table.indices("name");
  const auto data = table.column("data");
  const auto categories = table.indices("category");
  const auto phases = table.indices("phase");
  const auto times = table.numbers("time");
  const auto begins = table.numbers("startTime"), ends = table.numbers("endTime");
  if (names.empty()) return;
  lane_ = sink_.add_lane({.name = "markers", .parent = thread, .kind = trace::LaneKind::kAsync});
  double last_ms = -std::numeric_limits<double>::infinity();
  for (size_t i = 0; i < names.size(); ++i) {
    Marker marker{.begin_ms = at(begins, i, at(times, i, kNone)),
                  .end_ms = at(ends, i, kNone),
                  .name = names[i],
                  .index = i};
    const auto value = at(data, i, std::optional<Element>());
    if (phases.empty()) {
      find_phase(marker, value);
    } else {
      marker.phase = static_cast<Phase>(std::clamp<int64_t>(at(phases, i, int64_t{0}), 0, 3));
    }
    const int64_t category = at(categories, i, json::kNoIndex);
    const bool has_category =
        category >= 0 && static_cast<size_t>(category) < schema_.categories.size();
    marker.group = has_category
                       ? std::string_view(schema_.categories[static_cast<size_t>(category)])
                       : json::text(member(value, "category"));
    marker.params = params_of(value);
    add_flows(marker, value);
    for (const double ms : {marker.begin_ms, marker.end_ms})
      last_ms = std::max(last_ms, std::isnan(ms) ? last_ms : ms);
    add(marker);
  }
  finish(last_ms);
}

// Profiles before version 18 of Gecko's say it in the data.
void Markers::find_phase(Marker& marker, std::optional<Element> data) {
  const auto begin = json::number(member(data, "startTime"));
  const auto end = json::number(member(data, "endTime"));
  const std::string_view interval = json::text(member(data, "interval"));
  if (begin && end) {
    marker.phase = Phase::kInterval;
    marker.begin_ms = *begin;
    marker.end_ms = *end;
  } else if (interval == "start") {
    marker.phase = Phase::kBegin;
  } else if (interval == "end") {
    marker.phase = Phase::kEnd;
    marker.end_ms = marker.begin_ms;
  }
}

void Markers::add(const Marker& marker) {
  const bool is_named = marker.name >= 0 && static_cast<size_t>(marker.name) < strings_.size();
  if (!is_named) return sink_.loss("marker without a name", marker.index);
  switch (marker.phase) {
    case Phase::kInterval:
      return add_state(marker, marker.begin_ms, marker.end_ms, marker.params);
    case Phase::kBegin:
      open_[marker.name].push_back(marker);
      return;
    case Phase::kEnd: {
      auto& open = open_[marker.name];
      if (open.empty()) return sink_.loss("end without a begin", marker.index, 1, false);
      const Marker begin = open.back();
      open.pop_back();
      return add_state(begin, begin.begin_ms, marker.end_ms,
                       begin.params.is_none() ? marker.params : begin.params);
    }
    case Phase::kInstant:
      break;
  }
  Time time;
  if (!time_from(marker.begin_ms + offset_ms_, time))
    return sink_.loss("marker without a time", marker.index);
  const trace::PunctualEvent event{
      .time = time,
      .params = marker.params,
      .lane = lane_,
      .type = sink_.type(trace::Category::kPunctual, strings_[static_cast<size_t>(marker.name)],
                         marker.group)};
  sink_.punctuals({&event, 1});
}

void Markers::add_state(const Marker& marker, double begin_ms, double end_ms, ParamsId params) {
  Time begin, end;
  if (!time_from(begin_ms + offset_ms_, begin) || !time_from(end_ms + offset_ms_, end))
    return sink_.loss("marker without a time", marker.index);
  if (end < begin) return sink_.loss("marker that ends before it begins", marker.index);
  const trace::StateEvent state{
      .begin = begin,
      .duration = end - begin,
      .params = params,
      .lane = lane_,
      .type = sink_.type(trace::Category::kState, strings_[static_cast<size_t>(marker.name)],
                         marker.group)};
  sink_.states({&state, 1});
}

void Markers::finish(double end_ms) {
  for (auto& [name, open] : open_) {
    for (const Marker& marker : open) {
      sink_.loss("begin without an end", marker.index, 1, false);
      add_state(marker, marker.begin_ms, std::max(end_ms, marker.begin_ms), marker.params);
    }
  }
  open_.clear();
}

// A marker takes part in them where it begins.
void Markers::add_flows(const Marker& marker, std::optional<Element> data) {
  const auto known = schema_.flows.find(json::text(member(data, "type")));
  const double ms = std::isnan(marker.begin_ms) ? marker.end_ms : marker.begin_ms;
  Time time;
  const bool is_named = marker.name >= 0 && static_cast<size_t>(marker.name) < strings_.size();
  if (known == schema_.flows.end() || !is_named || !time_from(ms + offset_ms_, time)) return;
  for (const auto& [key, is_last] : known->second) {
    const int64_t index = json::integer(member(data, key)).value_or(json::kNoIndex);
    if (index < 0 || static_cast<size_t>(index) >= strings_.size()) continue;
    const std::string& name = strings_[static_cast<size_t>(marker.name)];
    const EventTypeId type =
        is_last ? EventTypeId::none() : sink_.type(trace::Category::kLink, name, marker.group);
    flows_.add({strings_[static_cast<size_t>(index)], time, lane_, type, is_last});
  }
}

ParamsId Markers::params_of(std::optional<Element> data) {
  simdjson::dom::object object;
  if (!data || data->get(object) != simdjson::SUCCESS) return ParamsId::none();
  const auto known = schema_.strings.find(json::text(member(data, "type")));
  std::string out;
  for (const auto [key, value] : object) {
    out += out.empty() ? '{' : ',';
    chrome_json::append_quoted(out, key);
    out += ':';
    const auto index = json::integer(value);
    const bool is_string = known != schema_.strings.end() &&
                           known->second.contains(std::string(key)) && index && *index >= 0 &&
                           static_cast<size_t>(*index) < strings_.size();
    if (is_string) {
      chrome_json::append_quoted(out, strings_[static_cast<size_t>(*index)]);
    } else {
      out += json::compact(value);
    }
  }
  if (out.empty()) return ParamsId::none();
  return sink_.params(out + '}');
}

}  // namespace weft::formats::firefox
