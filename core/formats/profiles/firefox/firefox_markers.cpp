#include "core/formats/profiles/firefox/firefox_markers.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <initializer_list>
#include <limits>
#include <span>
#include <tuple>

#include "core/base/saturating.h"
#include "core/formats/base/json_text.h"

namespace weft::formats::firefox {
namespace {

using json::Element;
using json::member;

// The members of both objects; where both have one, the second's.
std::string merged(const std::string& first, const std::string& second) {
  if (first.empty() || second.empty()) return first.empty() ? second : first;
  const auto begin = json::Document::parse(first), end = json::Document::parse(second);
  if (!begin || !end) return second;
  std::set<std::string, std::less<>> known;
  json::for_each_member(end->root(), [&](std::string_view key, Element) { known.emplace(key); });
  std::string out;
  const auto add = [&](std::string_view key, Element value) {
    out += out.empty() ? '{' : ',';
    json::append_quoted(out, key);
    out += ':';
    out += json::compact(value);
  };
  json::for_each_member(begin->root(), [&](std::string_view key, Element value) {
    if (!known.contains(key)) add(key, value);
  });
  json::for_each_member(end->root(), add);
  return out.empty() ? out : out + '}';
}

}  // namespace

bool time_from(double ms, Time& out) {
  const auto ns = checked_round(ms * kNsPerMs);
  if (ns) out = {*ns};
  return ns.has_value();
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

std::vector<NamedTime> begins_of(const Table& markers, const Strings& strings) {
  constexpr size_t kMost = 1 << 18;
  Column names = markers.column("name"), begins = markers.column("startTime"),
         times = markers.column("time"), data = markers.column("data");
  std::vector<NamedTime> out;
  while (names.next() && out.size() < kMost) {
    const json::TextScope scope(names.value());
    const bool has_begin = begins.next();
    times.next();
    data.next();
    const auto value = data.value();
    if (!strings.has(names.index()) || json::text(member(value, "interval")) == "end") continue;
    const double ms = json::number(member(value, "startTime"))
                          .value_or(has_begin ? begins.number() : times.number());
    out.push_back({std::string(strings.at(names.index())), ms});
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
    sink.give(trace::LinkEvent{.send = from.time,
                               .receive = to.time,
                               .source = from.lane,
                               .target = to.lane,
                               .type = from.type});
  }
  points_.clear();
}

// Markers of one message that come again are of another one, in the same order on both sides.
void IpcMessages::finish(trace::EventSink& sink) {
  std::ranges::stable_sort(points_, [](const Point& a, const Point& b) {
    return std::tie(a.message, a.step, a.time) < std::tie(b.message, b.step, b.time);
  });
  const std::span<const Point> all(points_);
  for (size_t begin = 0, end = 0; begin < all.size(); begin = end) {
    while (end < all.size() && all[end].message == all[begin].message) ++end;
    const auto of_message = all.subspan(begin, end - begin);
    const auto of_step = [&](Step step) {
      return std::ranges::equal_range(of_message, step, {}, &Point::step);
    };
    const auto first_of = [&](std::initializer_list<Step> steps) {
      for (const Step step : steps)
        if (const auto found = of_step(step); !found.empty()) return found;
      return of_step(Step::kSend);
    };
    const auto from = first_of({Step::kSend, Step::kSendStarts, Step::kSendEnds});
    const auto to = first_of({Step::kReceive, Step::kReceiveEnds});
    if (to.empty() || to.front().step < Step::kReceiveEnds) continue;
    for (size_t i = 0; i < std::min(from.size(), to.size()); ++i)
      sink.give(trace::LinkEvent{.send = from[i].time,
                                 .receive = to[i].time,
                                 .source = from[i].lane,
                                 .target = to[i].lane,
                                 .type = from[i].type});
  }
  points_.clear();
}

void Markers::read(const Table& table, LaneId thread) {
  Column names = table.column("name"), data = table.column("data"),
         categories = table.column("category"), phases = table.column("phase"),
         times = table.column("time"), begins = table.column("startTime"),
         ends = table.column("endTime");
  const bool has_phases = table.column("phase").next();
  double last_ms = -std::numeric_limits<double>::infinity();
  for (uint64_t i = 0; names.next(); ++i) {
    const json::TextScope scope(names.value());
    if (lane_.is_none())
      lane_ =
          sink_.add_lane({.name = "markers", .parent = thread, .kind = trace::LaneKind::kAsync});
    times.next();
    const bool has_begin = begins.next();
    for (Column* const column : {&data, &categories, &phases, &ends}) column->next();
    Marker marker{.begin_ms = has_begin ? begins.number() : times.number(),
                  .end_ms = ends.number(),
                  .name = names.index(),
                  .index = i};
    const auto value = data.value();
    if (has_phases) {
      const int64_t phase = phases.value() ? phases.index() : 0;
      marker.phase = static_cast<Phase>(std::clamp<int64_t>(phase, 0, 3));
    } else {
      find_phase(marker, value);
    }
    const int64_t category = categories.index();
    const bool has_category =
        category >= 0 && static_cast<size_t>(category) < schema_.categories.size();
    marker.group = has_category
                       ? std::string_view(schema_.categories[static_cast<size_t>(category)])
                       : json::text(member(value, "category"));
    marker.params = params_of(value);
    add_flows(marker, value);
    add_message(marker, value);
    for (const double ms : {marker.begin_ms, marker.end_ms})
      last_ms = std::max(last_ms, std::isnan(ms) ? last_ms : ms);
    if (!add_load(marker, value) && !add_picture(marker, value)) add(marker);
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
  if (!strings_.has(marker.name)) return sink_.loss("marker without a name", marker.index);
  switch (marker.phase) {
    case Phase::kInterval:
      return add_state(marker, marker.begin_ms, marker.end_ms, marker.params);
    case Phase::kBegin:
      open_[marker.name].push_back(marker);
      return;
    case Phase::kEnd: {
      auto& open = open_[marker.name];
      if (open.empty()) return sink_.note("end without a begin", marker.index);
      const Marker begin = open.back();
      open.pop_back();
      return add_state(begin, begin.begin_ms, marker.end_ms, merged(begin.params, marker.params));
    }
    case Phase::kInstant:
      break;
  }
  Time time;
  if (!time_from(marker.begin_ms + offset_ms_, time))
    return sink_.loss("marker without a time", marker.index);
  sink_.give(trace::PunctualEvent{
      .time = time,
      .params = sink_.params(marker.params),
      .lane = lane_,
      .type = sink_.type(trace::Category::kPunctual, strings_.at(marker.name), marker.group)});
}

// A request has a marker from its creation until it was opened, and one from there until its end.
bool Markers::add_load(const Marker& marker, std::optional<Element> data) {
  const std::string_view status = json::text(member(data, "status"));
  if (marker.phase != Phase::kInterval || json::text(member(data, "type")) != "Network" ||
      status.empty() || !strings_.has(marker.name))
    return false;
  const std::string number = json::plain(member(data, "id"));
  const auto open = loads_.find(number);
  if (status == "STATUS_START") {
    if (open != loads_.end()) add(open->second);
    loads_.insert_or_assign(number, marker);
    return true;
  }
  if (open == loads_.end()) return false;
  const Marker begin = std::move(open->second);
  loads_.erase(open);
  const std::string times =
      fmt::format(R"({{"startTime":{},"fetchStart":{}}})", begin.begin_ms, marker.begin_ms);
  add_state(marker, begin.begin_ms, marker.end_ms,
            merged(merged(begin.params, marker.params), times));
  return true;
}

bool Markers::add_picture(const Marker& marker, std::optional<Element> data) {
  if (marker.phase != Phase::kInstant ||
      json::text(member(data, "type")) != "CompositorScreenshot" || !strings_.has(marker.name))
    return false;
  const std::string window = json::plain(member(data, "windowID"));
  if (const auto last = pictures_.find(window); last != pictures_.end()) {
    add_state(last->second, last->second.begin_ms, marker.begin_ms, last->second.params);
    pictures_.erase(last);
  }
  if (strings_.at(marker.name) == "CompositorScreenshotWindowDestroyed") return false;
  pictures_.emplace(window, marker);
  return true;
}

void Markers::add_state(const Marker& marker, double begin_ms, double end_ms,
                        std::string_view params) {
  Time begin, end;
  if (!time_from(begin_ms + offset_ms_, begin) || !time_from(end_ms + offset_ms_, end))
    return sink_.loss("marker without a time", marker.index);
  if (end < begin) return sink_.loss("marker that ends before it begins", marker.index);
  sink_.give(trace::StateEvent{
      .begin = begin,
      .duration = end - begin,
      .params = sink_.params(params),
      .lane = lane_,
      .type = sink_.type(trace::Category::kState, strings_.at(marker.name), marker.group)});
}

void Markers::add_unended(const Marker& marker, double end_ms) {
  sink_.note("begin without an end", marker.index);
  add_state(marker, marker.begin_ms, std::max(end_ms, marker.begin_ms), marker.params);
}

// A picture is shown until the end.
void Markers::finish(double end_ms) {
  for (const auto& [name, open] : open_) {
    for (const Marker& marker : open) add_unended(marker, end_ms);
  }
  for (const auto& [number, load] : loads_) add_unended(load, end_ms);
  for (const auto& [window, last] : pictures_)
    add_state(last, last.begin_ms, std::max(end_ms, last.begin_ms), last.params);
  open_.clear();
  loads_.clear();
  pictures_.clear();
}

// A marker takes part in them where it begins.
void Markers::add_flows(const Marker& marker, std::optional<Element> data) {
  const auto known = schema_.flows.find(json::text(member(data, "type")));
  const double ms = std::isnan(marker.begin_ms) ? marker.end_ms : marker.begin_ms;
  Time time;
  if (known == schema_.flows.end() || !strings_.has(marker.name) ||
      !time_from(ms + offset_ms_, time))
    return;
  for (const auto& [key, is_last] : known->second) {
    const int64_t index = json::integer(member(data, key)).value_or(json::kNoIndex);
    if (!strings_.has(index)) continue;
    const std::string_view name = strings_.at(marker.name);
    const EventTypeId type =
        is_last ? EventTypeId::none() : sink_.type(trace::Category::kLink, name, marker.group);
    links_.flows.add({std::string(strings_.at(index)), time, lane_, type, is_last});
  }
}

void Markers::add_message(const Marker& marker, std::optional<Element> data) {
  Time time;
  if (json::text(member(data, "type")) != "IPC" || !time_from(marker.begin_ms + offset_ms_, time))
    return;
  using enum IpcMessages::Step;
  const bool is_sent = json::text(member(data, "direction")) == "sending";
  const std::string_view phase = json::text(member(data, "phase"));
  // What receives does not say when it began to.
  if (!is_sent && phase == "transferStart") return;
  const IpcMessages::Step step = phase == "transferStart" ? kSendStarts
                                 : phase == "transferEnd" ? is_sent ? kSendEnds : kReceiveEnds
                                 : is_sent                ? kSend
                                                          : kReceive;
  const std::string other = json::plain(member(data, "otherPid"));
  const std::string number = json::plain(member(data, "messageSeqno"));
  std::string name = json::plain(member(data, "messageType"));
  const auto index = json::integer(member(data, "messageType"));
  if (index && strings_.has(*index)) name = strings_.at(*index);
  const std::string message = fmt::format("{},{},{},{}", is_sent ? process_ : other,
                                          is_sent ? other : process_, number, name);
  links_.messages.add({std::hash<std::string>()(message), step, time, lane_,
                       sink_.type(trace::Category::kLink, name, "IPC")});
}

// A profile that is processed says a cause, {"stack": 12}, Gecko a thread with one sample. A cause
// may lie in another thread.
std::string Markers::stack_in(std::string_view key, Element value) const {
  if (key == "cause") {
    const auto thread = member(value, "tid");
    const bool is_elsewhere =
        thread && !stacks_.thread.empty() && json::plain(thread) != stacks_.thread;
    const auto stack = json::integer(member(value, "stack"));
    return stack && !is_elsewhere ? stacks_.of(*stack) : std::string();
  }
  if (key != "stack" || !value.is_object()) return {};
  Column stacks = Table(member(value, "samples")).column("stack");
  return stacks.next() ? stacks_.of(stacks.index()) : std::string();
}

std::string Markers::params_of(std::optional<Element> data) const {
  const auto known = schema_.strings.find(json::text(member(data, "type")));
  std::string out;
  json::for_each_member(data, [&](std::string_view key, Element value) {
    const std::string stack = stack_in(key, value);
    out += out.empty() ? '{' : ',';
    json::append_quoted(out, stack.empty() ? key : "stack");
    out += ':';
    if (!stack.empty()) {
      out += stack;
      return;
    }
    const auto index = json::integer(value);
    const bool is_string = known != schema_.strings.end() &&
                           known->second.contains(std::string(key)) && index &&
                           strings_.has(*index);
    if (is_string) {
      json::append_quoted(out, strings_.at(*index));
    } else {
      out += json::compact(value);
    }
  });
  return out.empty() ? out : out + '}';
}

}  // namespace weft::formats::firefox
