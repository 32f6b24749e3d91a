#include "core/formats/profiles/firefox/devtools_recording.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "core/formats/base/json_text.h"
#include "core/formats/profiles/firefox/firefox_markers.h"
#include "core/formats/stacks/sampled_stacks.h"

namespace weft::formats::firefox {
namespace {

using json::Element;
using json::member;

std::string frame_text(Element frame) {
  const std::string_view name = json::text(member(frame, "functionDisplayName"));
  return fmt::format("{} ({}:{})", name.empty() ? "(anonymous)" : name,
                     json::text(member(frame, "source")),
                     json::integer(member(frame, "line")).value_or(0));
}

// Returns the profile's name of a document marker.
std::string_view gecko_name(std::string_view name) {
  return name == "MinorGC" ? std::string_view("GCMinor") : name;
}

}  // namespace

bool begins_as_devtools_recording(std::string_view head) {
  const auto has = [&](std::string_view what) { return head.find(what) != std::string_view::npos; };
  if (head.find_first_not_of(" \t\r\n{") != head.find("\"label\"")) return false;
  return has("\"duration\"") && has("\"markers\"") &&
         (has("\"isOffMainThread\"") || has("\"processType\"") || has("\"ticks\""));
}

void DevtoolsRecording::read() {
  json::for_each_element(member(root_, "frames"), [&](Element frame) { frames_.push_back(frame); });
  read_markers(member(root_, "markers"), 0);
  read_ticks();
  read_memory();
  read_allocations();
}

LaneId DevtoolsRecording::lane_of(std::string_view name, trace::LaneKind kind) {
  if (recording_.is_none()) recording_ = sink_.add_lane({.name = "recording"});
  return sink_.add_lane({.name = std::string(name), .parent = recording_, .kind = kind});
}

// Nested markers are listed within their parent.
void DevtoolsRecording::read_markers(std::optional<Element> markers, int depth) {
  constexpr int kMostDepth = 64;
  json::for_each_element(markers, [&](Element marker) {
    const uint64_t index = markers_++;
    const std::string_view name = json::text(member(marker, "name"));
    const auto begin_ms = json::number(member(marker, "start"));
    const double end_ms = json::number(member(marker, "end")).value_or(begin_ms.value_or(0));
    Time begin, end;
    if (name.empty() || !begin_ms || !time_from(*begin_ms, begin) || !time_from(end_ms, end) ||
        end < begin || depth > kMostDepth)
      return sink_.loss("marker of the recording without a name or times", index);
    const auto said = member(marker, "isOffMainThread");
    const bool is_off_main = said && said->is_true();
    LaneId& lane = is_off_main ? off_main_ : document_;
    if (lane.is_none())
      lane = lane_of(is_off_main ? "off the main thread" : "document", trace::LaneKind::kAsync);
    sink_.give(trace::StateEvent{.begin = begin,
                                 .duration = end - begin,
                                 .params = params_of(marker),
                                 .lane = lane,
                                 .type = sink_.type(trace::Category::kState, name),
                                 .nesting = static_cast<uint32_t>(depth)});
    read_markers(member(marker, "submarkers"), depth + 1);
  });
}

ParamsId DevtoolsRecording::params_of(Element marker) {
  static const std::set<std::string_view> shown = {"name", "start", "end", "submarkers", "index"};
  std::string out;
  json::for_each_member(marker, [&](std::string_view key, Element value) {
    if (shown.contains(key) || value.is_null()) return;
    out += out.empty() ? '{' : ',';
    json::append_quoted(out, key);
    out += ':';
    const auto frame = json::integer(value);
    if ((key == "stack" || key == "endStack") && frame) {
      append_stack(out, *frame);
    } else {
      out += json::compact(value);
    }
  });
  return out.empty() ? ParamsId::none() : sink_.params(out + '}');
}

// Calls from the innermost on: as many as can be read.
void DevtoolsRecording::append_stack(std::string& out, int64_t frame) {
  constexpr size_t kMostBytes = 8192;
  const size_t begin = out.size();
  out += '[';
  for (int depth = 0; frame > 0 && static_cast<size_t>(frame) < frames_.size() && depth < 64;
       ++depth) {
    const Element each = frames_[static_cast<size_t>(frame)];
    const std::string text = frame_text(each);
    if (out.size() - begin + text.size() > kMostBytes) break;
    if (depth > 0) out += ',';
    json::append_quoted(out, text);
    frame = json::integer(member(each, "parent")).value_or(0);
  }
  out += ']';
}

void DevtoolsRecording::read_ticks() {
  const auto ticks = json::numbers(member(root_, "ticks"));
  if (ticks.empty()) return;
  const LaneId lane = lane_of("ticks", trace::LaneKind::kAsync);
  const EventTypeId type = sink_.type(trace::Category::kPunctual, "tick of the refresh driver");
  for (size_t i = 0; i < ticks.size(); ++i) {
    trace::PunctualEvent event{.time = {}, .lane = lane, .type = type};
    if (!time_from(ticks[i], event.time)) {
      sink_.loss("tick without a time", i);
      continue;
    }
    sink_.give(event);
  }
}

void DevtoolsRecording::read_memory() {
  LaneId lane = LaneId::none();
  EventTypeId type = EventTypeId::none();
  uint64_t index = 0;
  json::for_each_element(member(root_, "memory"), [&](Element sample) {
    const uint64_t at = index++;
    const auto ms = json::number(member(sample, "delta"));
    const auto value = json::number(member(sample, "value"));
    Time time;
    if (!ms || !value || !time_from(*ms, time))
      return sink_.loss("measurement without a time or value", at);
    if (lane.is_none()) {
      lane = lane_of("memory", trace::LaneKind::kCounter);
      type = sink_.type(trace::Category::kVariable, "memory (MB)");
    }
    sink_.give(trace::VariableSample{.time = time, .value = *value, .lane = lane, .type = type});
  });
}

// The first frame is none, for callers of what has no caller.
stacks::StackTree DevtoolsRecording::stacks_of(std::optional<Element> frames) {
  stacks::StackTree tree;
  json::for_each_element(frames, [&](Element frame) {
    const std::string_view name = json::text(member(frame, "functionDisplayName"));
    const EventTypeId type =
        sink_.type(trace::Category::kState, name.empty() ? "(anonymous)" : name,
                   json::text(member(frame, "source")));
    const int64_t parent = json::integer(member(frame, "parent")).value_or(0);
    if (!tree.add(type, parent <= 0 ? stacks::StackTree::kNoCaller : parent))
      sink_.loss("stack of what is not there", tree.size() - 1);
  });
  return tree;
}

// A sampled few of all, each with its stack, as states, and its size.
void DevtoolsRecording::read_allocations() {
  const auto allocations = member(root_, "allocations");
  const auto sites = json::indices(member(allocations, "sites"));
  const auto times = json::numbers(member(allocations, "timestamps"));
  const auto sizes = json::numbers(member(allocations, "sizes"));
  if (sites.empty()) return;
  stacks::StackTree tree = stacks_of(member(allocations, "frames"));
  const LaneId lane = lane_of("allocations", trace::LaneKind::kThread);
  const EventTypeId type = sink_.type(trace::Category::kPunctual, "allocation");
  stacks::SampledStacks samples(timeline_, lane);
  Time last = Time::min();
  for (size_t i = 0; i < sites.size(); ++i) {
    trace::PunctualEvent event{.time = {}, .lane = lane, .type = type};
    if (i >= times.size() || !time_from(times[i], event.time)) {
      sink_.loss("allocation without a time", i);
      continue;
    }
    if (i < sizes.size() && !std::isnan(sizes[i]))
      event.params = sink_.params(fmt::format("{{\"size\":{}}}", sizes[i]));
    sink_.give(event);
    if (event.time < last) {
      sink_.loss("stack of an allocation before the one before it", {i, lane, event.time});
      continue;
    }
    samples.add(last = event.time,
                sites[i] > 0 ? tree.frames(sites[i]) : std::span<const EventTypeId>());
  }
  samples.finish();
}

// All differences of two markers of one name: those that are markers of the same work are the same.
std::optional<double> DevtoolsRecording::clock_ahead_ms(
    const std::vector<NamedTime>& markers) const {
  constexpr size_t kMostCompared = 200, kMostOfName = 2000, kLeastAgreeing = 3;
  constexpr double kSame = 0.1;  // milliseconds
  std::map<std::string_view, std::vector<double>> by_name;
  for (const NamedTime& marker : markers) {
    auto& times = by_name[marker.name];
    if (!std::isnan(marker.ms) && times.size() < kMostOfName) times.push_back(marker.ms);
  }
  std::vector<double> differences;
  size_t compared = 0;
  json::for_each_element(member(root_, "markers"), [&](Element marker) {
    const auto known = by_name.find(gecko_name(json::text(member(marker, "name"))));
    const auto ms = json::number(member(marker, "start"));
    if (known == by_name.end() || !ms || compared == kMostCompared) return;
    ++compared;
    for (const double other : known->second) differences.push_back(other - *ms);
  });
  std::ranges::sort(differences);
  size_t first = 0, best = 0, best_count = 0;
  for (size_t i = 0; i < differences.size(); ++i) {
    while (differences[i] - differences[first] > kSame) ++first;
    if (i + 1 - first <= best_count) continue;
    best_count = i + 1 - first;
    best = first;
  }
  if (best_count < kLeastAgreeing || best_count < compared / 4) return std::nullopt;
  return differences[best + best_count / 2];
}

}  // namespace weft::formats::firefox
