#include "core/formats/profiles/webkit_timeline/webkit_timeline_reader.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/percentiles.h"
#include "core/base/saturating.h"
#include "core/formats/base/args_text.h"
#include "core/formats/base/json_document.h"
#include "core/formats/base/lane_paths.h"
#include "core/formats/base/text.h"
#include "core/formats/base/time_form.h"
#include "core/formats/stacks/sampled_stacks.h"
#include "core/formats/stacks/source_place.h"
#include "core/formats/stacks/stack_timeline.h"

namespace weft::formats {
namespace webkit {
namespace {

using json::Element;
using json::member;

std::optional<Time> time_from(std::optional<double> seconds) {
  const auto ns = checked_round(seconds.value_or(NAN) * kNsPerSecond);
  return ns ? std::optional(Time{*ns}) : std::nullopt;
}
std::optional<Time> time_of(std::optional<Element> object, std::string_view name) {
  return time_from(json::number(member(object, name)));
}

// "layout", of "timeline-record-type-layout".
std::string_view kind_of(std::optional<Element> record) {
  constexpr std::string_view kPrefix = "timeline-record-type-";
  std::string_view type = json::text(member(record, "type"));
  take_prefix(type, kPrefix);
  return type.empty() ? std::string_view("record") : type;
}

// All members but those that are shown otherwise. Texts like snapshots and pictures are too long to
// show: what is said of them is their length.
ParamsId params_of(trace::EventSink& sink, Element record) {
  constexpr std::array<std::string_view, 5> kShown = {"type", "eventType", "startTime", "endTime",
                                                      "timestamp"};
  constexpr size_t kMostBytes = 16 << 10;
  ArgsText params;
  json::for_each_member(record, [&](std::string_view key, Element value) {
    const size_t bytes = json::written_bytes(value);
    const bool is_empty = value.is_null() || (value.is_string() && bytes == 2);
    if (is_empty || std::ranges::find(kShown, key) != kShown.end()) return;
    if (bytes > kMostBytes) {
      params.add(std::string(key) + " (bytes)", bytes);
    } else {
      params.name(key);
      params.json(json::compact(value));
    }
  });
  return sink.params(params.take());
}

class TimelineReader {
 public:
  TimelineReader(Element recording, trace::EventSink& sink)
      : recording_(recording), sink_(sink), timeline_(sink), lanes_(sink) {}

  void read() {
    sink_.set_time_base(TimeBase::kNanoseconds);
    const std::string_view name = json::text(member(recording_, "displayName"));
    if (!name.empty()) sink_.set_metadata("name", name);
    read_samples();
    json::for_each_element(member(recording_, "records"), [&](Element each) { add(each); });
    json::for_each_element(member(recording_, "markers"), [&](Element marker) {
      add_instant(marker, time_of(marker, "time"), "markers", json::text(member(marker, "type")));
    });
    json::for_each_element(member(recording_, "memoryPressureEvents"), [&](Element event) {
      add_instant(event, time_of(event, "timestamp"), "memory", "memory pressure");
    });
    json::for_each_element(member(recording_, "discontinuities"), [&](Element gap) {
      add_state(gap, time_of(gap, "startTime"), time_of(gap, "endTime"), "markers", "not recorded");
    });
    timeline_.finish();
  }

 private:
  void read_samples() {
    const auto samples = member(recording_, "sampleStackTraces");
    const auto durations = json::numbers(member(recording_, "sampleDurations"));
    if (!samples || !samples->is_array()) return;
    const LaneId lane = sink_.add_lane({.name = "JavaScript", .kind = trace::LaneKind::kThread});
    stacks::SampledStacks stacks(timeline_, lane, interval_of(durations));
    std::vector<EventTypeId> frames;
    Time last = Time::min();
    uint64_t index = 0;
    json::for_each_element(samples, [&](Element sample) {
      const uint64_t at = index++;
      const auto time = time_of(sample, "timestamp");
      if (!time) return sink_.loss("sample without a time", at);
      if (*time < last) return sink_.loss("sample before the one before it", at);
      frames.clear();
      json::for_each_element(member(sample, "stackFrames"),
                             [&](Element frame) { frames.push_back(frame_of(frame)); });
      std::ranges::reverse(frames);  // the innermost comes first
      stacks.add(last = *time, frames);
    });
    stacks.finish();
  }

  // Returns the time that each sample represents: the usual gap.
  static Duration interval_of(std::vector<double> durations) {
    std::erase_if(durations, [](double each) { return !(each > 0); });
    return {time_from(median_of(std::move(durations))).value_or(Time{}).ticks};
  }

  EventTypeId frame_of(Element frame) {
    const std::string_view name = json::text(member(frame, "name"));
    return sink_.type(
        trace::Category::kState, name.empty() ? "(anonymous)" : name,
        stacks::source_place(json::text(member(frame, "url")), json::integer(member(frame, "line")),
                             json::integer(member(frame, "column"))));
  }

  void add(Element record) {
    const std::string_view kind = kind_of(record);
    const auto stamp = time_of(record, "timestamp");
    if (kind == "network") return add_network(record);
    if (kind == "cpu" && stamp) return add_usage(record, *stamp);
    if (kind == "memory" && stamp) return add_memory(record, *stamp);
    const std::string_view event = json::text(member(record, "eventType"));
    const std::string_view title = json::text(member(record, "title"));
    const std::string_view name = !event.empty() ? event : !title.empty() ? title : kind;
    const auto begin = time_of(record, "startTime"), end = time_of(record, "endTime");
    if (!begin || (end && *begin == *end))
      return add_instant(record, begin ? begin : stamp, kind, name);
    add_state(record, begin, end, kind, name);
  }

  void add_instant(Element record, std::optional<Time> time, std::string_view lane,
                   std::string_view name) {
    const uint64_t index = records_++;
    if (!time) return sink_.loss("record without a time", index);
    sink_.give(trace::PunctualEvent{
        .time = *time,
        .params = params_of(sink_, record),
        .lane = lanes_.lane_of(lane),
        .type = sink_.type(trace::Category::kPunctual, name.empty() ? "record" : name, lane)});
  }

  void add_state(Element record, std::optional<Time> begin, std::optional<Time> end,
                 std::string_view lane, std::string_view name) {
    const uint64_t index = records_++;
    if (!begin || !end) return sink_.loss("record without a begin or an end", index);
    if (*end < *begin) return sink_.loss("record that ends before it begins", index);
    sink_.give(trace::StateEvent{.begin = *begin,
                                 .duration = *end - *begin,
                                 .params = params_of(sink_, record),
                                 .lane = lanes_.lane_of(lane),
                                 .type = sink_.type(trace::Category::kState, name, lane)});
  }

  // An entry of an HTTP archive: it says a date, and the record when the clock was 0.
  void add_network(Element record) {
    const auto entry = member(record, "entry");
    const auto clock_zero = json::number(member(record, "archiveStartTime"));
    const auto since_1970 = parse_date(json::text(member(entry, "startedDateTime")));
    const auto zero = time_from(clock_zero);
    constexpr double kMsPerSecond = 1e3;
    const double ms = std::max(0.0, json::number(member(entry, "time")).value_or(0));
    const auto length = time_from(ms / kMsPerSecond);
    std::string_view url = json::text(member(member(entry, "request"), "url"));
    if (url.empty()) url = "request";
    if (!since_1970 || !zero || !length) return sink_.loss("record without a time", records_++);
    const Time begin{saturating_sub(since_1970->ticks, zero->ticks)};
    if (length->ticks == 0) return add_instant(record, begin, "network", url);
    add_state(record, begin, begin + Duration{length->ticks}, "network", url);
  }

  // In percent; threads of one name, and those without one, are taken together.
  void add_usage(Element record, Time time) {
    const auto usage = json::number(member(record, "usage"));
    if (usage) add_sample("cpu", "all threads (%)", time, *usage);
    std::map<std::string, double> of_threads;
    json::for_each_element(member(record, "threads"), [&](Element thread) {
      const auto value = json::number(member(thread, "usage"));
      const std::string_view name = json::text(member(thread, "name"));
      if (value) of_threads[std::string(name.empty() ? "(other threads)" : name)] += *value;
    });
    for (const auto& [name, value] : of_threads)
      add_sample(fmt::format("cpu/{}", without_slashes(name)), "used (%)", time, value);
  }

  void add_memory(Element record, Time time) {
    json::for_each_element(member(record, "categories"), [&](Element category) {
      const std::string_view name = json::text(member(category, "type"));
      const auto size = json::number(member(category, "size"));
      if (size) add_sample(fmt::format("memory/{}", without_slashes(name)), "bytes", time, *size);
    });
  }

  static std::string without_slashes(std::string_view name) {
    std::string out(name);
    std::ranges::replace(out, '/', ' ');
    return out;
  }

  void add_sample(std::string_view lane, std::string_view name, Time time, double value) {
    sink_.give(trace::VariableSample{.time = time,
                                     .value = value,
                                     .lane = lanes_.lane_of(lane),
                                     .type = sink_.type(trace::Category::kVariable, name)});
  }

  Element recording_;
  trace::EventSink& sink_;
  stacks::StackTimeline timeline_;
  LanePaths lanes_;
  uint64_t records_ = 0;
};

}  // namespace
}  // namespace webkit

int sniff_webkit_timeline(std::span<const std::byte> head) {
  const std::string_view text = as_chars(head);
  const auto has = [&](std::string_view what) { return text.find(what) != std::string_view::npos; };
  if (!trimmed(text).starts_with('{')) return 0;
  const bool has_records = has("\"timeline-record-type-") || has("\"sampleStackTraces\"");
  return has("\"recording\"") && has_records ? 95 : 0;
}

Status read_webkit_timeline(io::Source& source, trace::EventSink& sink,
                            const ReadContext& context) {
  WEFT_TRY_ASSIGN(const json::Document document,
                  json::Document::read(source, sink, context.memory_bytes));
  const auto recording = json::member(document.root(), "recording");
  if (!recording) sink.loss("document without a recording", trace::LossPlace::nowhere());
  if (recording) webkit::TimelineReader(*recording, sink).read();
  return {};
}

}  // namespace weft::formats
