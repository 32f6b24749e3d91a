#include "core/formats/profiles/firefox/firefox_reader.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <optional>
#include <ranges>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/base/saturating.h"
#include "core/formats/base/json_document.h"
#include "core/formats/base/json_text.h"
#include "core/formats/base/text.h"
#include "core/formats/profiles/firefox/cleopatra.h"
#include "core/formats/profiles/firefox/devtools_recording.h"
#include "core/formats/profiles/firefox/firefox_markers.h"
#include "core/formats/profiles/firefox/firefox_table.h"
#include "core/formats/profiles/firefox/json_slabs.h"
#include "core/formats/stacks/sampled_stacks.h"
#include "core/formats/stacks/stack_timeline.h"
#include "core/formats/stacks/stack_tree.h"
#include "core/formats/stacks/weighted_stacks.h"

namespace weft::formats {
namespace {

using firefox::Table;
using json::Element;
using json::member;

template <class Value>
const Value* find(const std::vector<Value>& column, int64_t i) {
  return i >= 0 && static_cast<size_t>(i) < column.size() ? &column[static_cast<size_t>(i)]
                                                          : nullptr;
}

// The string that a column's number of a row stands for; empty where there is none.
std::string_view string_at(const firefox::Strings& strings, const std::vector<int64_t>& column,
                           int64_t row) {
  const int64_t* const index = find(column, row);
  return index == nullptr ? std::string_view() : strings.at(*index);
}

class FirefoxReader {
 public:
  explicit FirefoxReader(trace::EventSink& sink) : sink_(sink), timeline_(sink) {
    sink_.set_time_base(TimeBase::kNanoseconds);
  }

  void read(Element root) {
    if (firefox::is_cleopatra(root)) {
      firefox::read_cleopatra(root, sink_, timeline_);
      return timeline_.finish();
    }
    const auto wrapped = member(root, "profile");  // by the performance tools of old
    const Element profile = wrapped ? *wrapped : root;
    if (wrapped) recording_.emplace(root, sink_, timeline_);
    start_ms_ = json::number(member(member(profile, "meta"), "startTime")).value_or(0);
    if (wrapped) recorded_ms_ = json::number(member(root, "duration"));
    for (const std::string_view key : {"product", "oscpu", "platform", "CPUName", "misc", "abi"}) {
      const std::string_view value = json::text(member(member(profile, "meta"), key));
      if (!value.empty()) sink_.set_metadata(key, value);
    }
    read_profile(profile, 0);
    if (recording_) recording_->read();
    if (threads_ == 0) sink_.loss("profile without threads", trace::LossPlace::nowhere());
    links_.flows.finish(sink_);
    links_.messages.finish(sink_);
    timeline_.finish();
  }

 private:
  // A profile may hold those of child processes, and some threads are profiles as text.
  void read_profile(Element profile, int depth) {
    constexpr int kMostDepth = 8;
    if (depth > kMostDepth)
      return sink_.loss("profile nested too deep", trace::LossPlace::nowhere());
    const auto meta = member(profile, "meta");
    const double start_ms = json::number(member(meta, "startTime")).value_or(start_ms_);
    Profile outer = std::exchange(
        profile_, Profile{.schema = firefox::marker_schema_of(meta),
                          .offset_ms = start_ms - start_ms_,
                          .interval_ms = json::number(member(meta, "interval")).value_or(0),
                          .shared = member(profile, "shared")});
    profile_.shared_strings = firefox::Strings(member(profile_.shared, "stringArray"));
    profile_.tracer_names = firefox::Strings(member(profile, "jsTracerDictionary"));
    json::for_each_element(member(profile, "libs"), [&](Element lib) {
      profile_.libs.emplace_back(json::text(member(lib, "name")));
    });
    json::for_each_part(member(profile, "threads"), [&](Element thread) {
      if (!thread.is_string()) return read_thread(thread);
      const auto nested = json::Document::parse(json::text(thread));
      if (!nested) return sink_.loss("thread that is not valid JSON", trace::LossPlace::nowhere());
      read_profile(nested->root(), depth + 1);
    });
    read_counters(member(profile, "counters"));
    json::for_each_part(member(profile, "processes"),
                        [&](Element child) { read_profile(child, depth + 1); });
    profile_ = std::move(outer);
  }

  void read_thread(Element thread) {
    const uint64_t index = threads_++;
    firefox::Strings own(member(thread, "stringArray"));
    if (own.is_empty()) own = firefox::Strings(member(thread, "stringTable"));
    const firefox::Strings& strings = own.is_empty() ? profile_.shared_strings : own;
    const std::string_view name = json::text(member(thread, "name"));
    const auto tid = json::integer(member(thread, "tid"));
    const LaneId process = process_of(thread);
    if (profile_.process.is_none()) profile_.process = process;
    const LaneId lane =
        sink_.add_lane({.name = tid ? fmt::format("{} ({})", name, *tid) : std::string(name),
                        .parent = process,
                        .kind = trace::LaneKind::kThread});
    const Table samples(member(thread, "samples"));
    if (member(thread, "stackTable")) {
      stacks::StackTree tree = stacks_of(thread, strings, index);
      read_samples(samples, lane, tree, index);
      read_events(
          thread, lane, strings,
          {[&](int64_t stack) { return text_of(tree, stack); }, json::plain(member(thread, "tid"))},
          index);
    } else {
      if (!profile_.shared_stacks)
        profile_.shared_stacks = std::make_shared<stacks::StackTree>(
            stacks_of(profile_.shared, profile_.shared_strings, index));
      stacks::StackTree& tree = *profile_.shared_stacks;
      read_samples(samples, lane, tree, index);
      read_events(thread, lane, strings, {[&](int64_t stack) { return text_of(tree, stack); }, {}},
                  index);
    }
  }

  // Reads events with stacks that were not sampled at intervals, and measurements of the samples.
  void read_events(Element thread, LaneId lane, const firefox::Strings& strings,
                   const firefox::StackTexts& stacks, uint64_t index) {
    const Table samples(member(thread, "samples"));
    for (const std::string_view column :
         {"responsiveness", "eventDelay", "threadCPUDelta", "rss", "uss"})
      read_measure(samples, column, lane);
    read_markers(thread, strings, stacks, lane, index);
    read_tracer(member(thread, "jsTracer"), strings, lane);
    read_tracer(member(thread, "jsTracerEvents"), profile_.tracer_names, lane);
    read_allocations(Table(member(thread, "jsAllocations")), "JS allocation", stacks, lane);
    read_allocations(Table(member(thread, "nativeAllocations")), "native allocation", stacks, lane);
  }

  // Calls from the innermost on, as a JSON array, as many as can be read; empty: there is no such
  // stack.
  std::string text_of(stacks::StackTree& tree, int64_t stack) const {
    constexpr size_t kMostBytes = 8192, kMostFrames = 64;
    std::string out;
    for (const EventTypeId frame :
         tree.frames(stack) | std::views::reverse | std::views::take(kMostFrames)) {
      if (out.size() > kMostBytes) break;
      out += out.empty() ? '[' : ',';
      json::append_quoted(out, frame_names_.at(frame.value()));
    }
    return out.empty() ? out : out + ']';
  }

  // Reads sampled allocations; for native memory also deallocations, as negative sizes.
  void read_allocations(const Table& table, std::string_view name,
                        const firefox::StackTexts& stack_texts, LaneId thread) {
    firefox::Times times = table.times();
    firefox::Column bytes = table.column("weight"), classes = table.column("className"),
                    addresses = table.column("memoryAddress"), stacks = table.column("stack");
    LaneId lane = LaneId::none();
    while (times.next()) {
      for (firefox::Column* const column : {&bytes, &classes, &addresses, &stacks}) column->next();
      trace::PunctualEvent event;
      if (!firefox::time_from(times.ms() + profile_.offset_ms, event.time)) continue;
      if (lane.is_none())
        lane = sink_.add_lane({.name = fmt::format("{}s", name), .parent = thread});
      event.lane = lane;
      event.type = sink_.type(trace::Category::kPunctual, name);
      std::string params = "{\"bytes\":" + (bytes.value() ? json::compact(bytes.value()) : "null");
      if (classes.value()) params += ",\"class\":" + json::compact(classes.value());
      if (addresses.value()) params += ",\"address\":" + json::compact(addresses.value());
      if (const std::string stack = stack_texts.of(stacks.index()); !stack.empty())
        params += ",\"stack\":" + stack;
      event.params = sink_.params(params + '}');
      sink_.give(event);
    }
  }

  // Reads every call of JavaScript, in microseconds; where it ended may not be known.
  void read_tracer(std::optional<Element> events, const firefox::Strings& names, LaneId thread) {
    firefox::Column name(events, "events"), times(events, "timestamps"),
        durations(events, "durations"), lines(events, "line"), columns(events, "column");
    constexpr double kMsInMicrosecond = 1e-3;
    LaneId lane = LaneId::none();
    for (uint64_t i = 0; name.next(); ++i) {
      for (firefox::Column* const column : {&times, &durations, &lines, &columns}) column->next();
      const json::TextScope scope(name.value());
      const double begin_ms = times.number() * kMsInMicrosecond + profile_.offset_ms;
      const double us = durations.number();
      const double end_ms = begin_ms + (std::isnan(us) ? 0 : us) * kMsInMicrosecond;
      Time begin, end;
      if (!firefox::time_from(begin_ms, begin) || !firefox::time_from(end_ms, end)) {
        sink_.loss("call without a time", i);
        continue;
      }
      if (lane.is_none()) lane = sink_.add_lane({.name = "JS tracer", .parent = thread});
      std::string params;
      if (lines.index() != json::kNoIndex)
        params = fmt::format(R"({{"line":{},"column":{}}})", lines.index(), columns.index());
      sink_.give(trace::StateEvent{
          .begin = begin,
          .duration = std::max(end, begin) - begin,
          .params = sink_.params(params),
          .lane = lane,
          .type = sink_.type(trace::Category::kState,
                             names.has(name.index()) ? names.at(name.index()) : "(unknown)")});
    }
  }

  void read_markers(Element thread, const firefox::Strings& strings,
                    const firefox::StackTexts& stacks, LaneId lane, uint64_t index) {
    const Table markers(member(thread, "markers"));
    double offset_ms = profile_.offset_ms;
    if (const size_t count = markers_on_other_clock(markers); count > 0) {
      const auto ahead_ms = recording_->clock_ahead_ms(firefox::begins_of(markers, strings));
      if (!ahead_ms)
        return sink_.loss("marker on a clock that nothing relates to the samples'", {index, lane},
                          count);
      offset_ms -= *ahead_ms;
    }
    firefox::Markers(sink_, links_, profile_.schema, strings, stacks, offset_ms,
                     json::plain(member(thread, "pid")))
        .read(markers, lane);
  }

  // The performance tools of old made samples count from the begin of the recording and left
  // markers as they were, from that of the process.
  size_t markers_on_other_clock(const Table& markers) const {
    if (!recorded_ms_) return 0;
    size_t count = 0;
    bool is_other = false;
    for (firefox::Column times = markers.column("time"); times.next(); ++count)
      is_other |= times.number() > 2 * *recorded_ms_;
    return is_other ? count : 0;
  }

  // A program that runs another one in its place leaves it its number: the names tell them apart.
  LaneId process_of(Element thread) {
    const auto pid = member(thread, "pid");
    const std::string_view program = json::text(member(thread, "processName"));
    const std::string_view name =
        program.empty() ? json::text(member(thread, "processType")) : program;
    const std::string id = pid ? json::compact(pid) : std::string(name);
    // Counters have its number alone.
    const auto known = processes_.lower_bound({id, std::string(program)});
    if (known != processes_.end() && known->first.first == id && program.empty())
      return known->second;
    const auto [it, is_new] = processes_.try_emplace({id, std::string(program)}, LaneId::none());
    if (is_new) {
      const std::string_view number = id.starts_with('"') ? json::text(pid) : id;
      it->second = sink_.add_lane(
          {.name = pid ? fmt::format("{} ({})", name.empty() ? "process" : name, number)
                       : std::string(name),
           .kind = trace::LaneKind::kProcess});
    }
    return it->second;
  }

  // Gecko's are of the process that the profile is of.
  LaneId process_of_counter(Element counter) {
    const bool is_told = member(counter, "pid").has_value() || profile_.process.is_none();
    return is_told ? process_of(counter) : profile_.process;
  }

  // The stacks of a thread, or those that all threads share.
  stacks::StackTree stacks_of(std::optional<Element> owner, const firefox::Strings& strings,
                              uint64_t index) {
    const std::vector<EventTypeId> frames = frames_of(owner, strings);
    const Table table(member(owner, "stackTable"));
    firefox::Column callers = table.column("prefix"), backwards = table.column("prefixOffset"),
                    frame = table.column("frame");
    stacks::StackTree tree;
    while (frame.next()) {
      const EventTypeId* const type = find(frames, frame.index());
      int64_t caller = callers.next() ? callers.index() : stacks::StackTree::kNoCaller;
      if (backwards.next()) caller = caller_before(tree.size(), backwards.index());
      const bool is_right = tree.add(type == nullptr ? unknown_frame() : *type, caller);
      if (type == nullptr || !is_right) sink_.loss("stack of what is not there", index);
    }
    return tree;
  }

  // Since version 66: how many stacks before, 0 for none. One that is not there is as far as
  // `stack`.
  static int64_t caller_before(size_t stack, int64_t distance) {
    const auto at = static_cast<int64_t>(stack);
    if (distance == 0) return stacks::StackTree::kNoCaller;
    return distance > 0 && distance <= at ? at - distance : at;
  }

  std::vector<EventTypeId> frames_of(std::optional<Element> owner,
                                     const firefox::Strings& strings) {
    const Table frame_table(member(owner, "frameTable")), funcs(member(owner, "funcTable")),
        resources(member(owner, "resourceTable")), sources(member(profile_.shared, "sources"));
    firefox::Column locations = frame_table.column("location"),
                    func_of = frame_table.column("func"), libs = frame_table.column("lib");
    const auto names = funcs.indices("name"), resource_of = funcs.indices("resource"),
               files = funcs.indices("fileName"), resource_names = resources.indices("name"),
               source_of = funcs.indices("source"), source_names = sources.indices("filename");
    std::vector<EventTypeId> frames;
    while (locations.next()) {
      const json::TextScope scope(locations.value());
      const bool is_named = strings.has(locations.index());
      frames.push_back(is_named ? frame(without_source(strings.at(locations.index())))
                                : unknown_frame());
    }
    while (func_of.next()) {
      const json::TextScope scope(func_of.value());
      const int64_t func = func_of.index();
      const std::string_view name = string_at(strings, names, func);
      const int64_t* const resource = find(resource_of, func);
      std::string_view group =
          resource == nullptr ? std::string_view() : string_at(strings, resource_names, *resource);
      if (group.empty()) group = string_at(strings, files, func);
      if (const int64_t* const file = find(source_of, func); file != nullptr && group.empty())
        group = string_at(strings, source_names, *file);
      libs.next();
      const std::string* const lib = find(profile_.libs, libs.index());
      if (lib != nullptr && group.empty()) group = *lib;
      if (name.empty()) {
        frames.push_back(unknown_frame());
      } else if (name.starts_with("0x") && !group.empty()) {  // an address tells little by itself
        frames.push_back(frame(fmt::format("{}+{}", group, name), group));
      } else {
        frames.push_back(frame(name, group));
      }
    }
    return frames;
  }

  // Gecko writes, since version 32, the number of the source behind the place: "f (a.js:1:2)[3]".
  static std::string_view without_source(std::string_view location) {
    const size_t bracket = location.rfind(")[");
    if (!location.ends_with(']') || bracket == std::string_view::npos) return location;
    std::string_view number = location.substr(bracket + 2);
    return take_number<uint64_t>(number) && number == "]" ? location.substr(0, bracket + 1)
                                                          : location;
  }

  EventTypeId frame(std::string_view name, std::string_view group = {}) {
    const EventTypeId type = sink_.type(trace::Category::kState, name, group);
    frame_names_.try_emplace(type.value(), name);
    return type;
  }
  EventTypeId unknown_frame() { return frame("(unknown)"); }

  // Sizes instead of times: stacks side by side, as wide as they are large.
  void read_sizes(const Table& table, LaneId thread, stacks::StackTree& tree) {
    const LaneId lane = sink_.add_lane({.name = "sizes (1 ns = 1 byte)", .parent = thread});
    firefox::Column stack = table.column("stack"), weights = table.column("weight");
    stacks::WeightedStacks sizes(timeline_, lane);
    for (uint64_t i = 0; stack.next() && weights.next(); ++i) {
      const double number = weights.number();
      if (number < 0) sink_.note("sample of a negative value", i);
      const auto bytes = checked_round(number);
      if (bytes && *bytes > 0) sizes.add(tree.frames(stack.index()), *bytes);
    }
  }

  // Steps to the next sample's time, which is not before `last`. False: it has none that can be
  // shown.
  bool next_time(firefox::Times& times, Time last, uint64_t index, Time& time) {
    if (!times.next() || !firefox::time_from(times.ms() + profile_.offset_ms, time)) {
      sink_.loss("sample without a time", index);
      return false;
    }
    if (time < last) sink_.loss("sample before the one before it", index);
    return time >= last;
  }

  // A weight counts the intervals that passed without a change: from the sample on, or up to it
  // since the one before it with the same stack.
  void read_samples(const Table& table, LaneId lane, stacks::StackTree& tree, uint64_t index) {
    const std::string_view unit = table.text("weightType");
    if (unit == "bytes") return read_sizes(table, lane, tree);
    if (unit == "tracing-ms") return read_durations(table, lane, tree, index);
    firefox::Column stack = table.column("stack"), weights = table.column("weight");
    firefox::Times times = table.times();
    Time interval;
    firefox::time_from(profile_.interval_ms, interval);
    stacks::SampledStacks samples(timeline_, lane, {interval.ticks});
    Time last = Time::min(), time;
    int64_t last_stack = json::kNoIndex;
    double last_weight = 1;
    while (stack.next()) {
      const double weight = weights.next() ? weights.number() : 1;
      if (!next_time(times, last, index, time)) continue;
      const bool is_repeated = weight > 1 && stack.index() == last_stack;
      samples.add(last = time, tree.frames(stack.index()), is_repeated || last_weight > 1);
      last_stack = stack.index();
      last_weight = weight;
    }
    if (last_weight > 1)
      samples.add(time_after(last, last_weight * profile_.interval_ms), {}, true);
    samples.finish();
  }

  // Weights that are milliseconds, for as long as nothing else follows.
  void read_durations(const Table& table, LaneId lane, stacks::StackTree& tree, uint64_t index) {
    firefox::Column stack = table.column("stack"), weights = table.column("weight");
    firefox::Times times = table.times();
    Time begin = Time::min(), end = begin, time;
    int64_t last = json::kNoIndex;
    const auto give_until = [&](Time until) {
      if (until > begin) timeline_.add(lane, tree.frames(last), begin, until);
    };
    while (stack.next()) {
      const double weight = weights.next() ? weights.number() : 0;
      if (!next_time(times, begin, index, time)) continue;
      give_until(std::min(end, time));
      begin = time;
      end = time_after(time, weight);
      last = stack.index();
    }
    give_until(end);
  }

  static Time time_after(Time begin, double ms) {
    Time length;
    const bool is_time = ms > 0 && firefox::time_from(ms, length);
    return begin + Duration{is_time ? length.ticks : 0};
  }

  // Reads a value measured with each sample.
  void read_measure(const Table& samples, std::string_view column, LaneId thread) {
    bool has_values = false;
    for (firefox::Column each = samples.column(column); !has_values && each.next();)
      has_values = !std::isnan(each.number());
    if (!has_values) return;
    const LaneId lane = sink_.add_lane(
        {.name = std::string(column), .parent = thread, .kind = trace::LaneKind::kCounter});
    add_samples(samples, column, lane, sink_.type(trace::Category::kVariable, column), false);
  }

  void read_counters(std::optional<Element> counters) {
    json::for_each_element(counters, [&](Element counter) {
      auto groups = member(counter, "sampleGroups");
      if (!groups) groups = member(counter, "sample_groups");  // Gecko until version 27
      if (groups && groups->is_array())
        return json::for_each_element(
            groups, [&](Element group) { read_counter(counter, member(group, "samples")); });
      read_counter(counter, groups ? member(groups, "samples") : member(counter, "samples"));
    });
  }

  // As the profile says since version 62, or as it was known before.
  static std::string_view unit_of(Element counter, std::string_view category) {
    const std::string_view said = json::text(member(member(counter, "display"), "unit"));
    // The count is none: what is shown of it is a share of the largest.
    if (!said.empty()) return said == "percent" ? std::string_view() : said;
    if (category == "Memory" || category == "Bandwidth") return "bytes";
    return category == "power" ? "pWh" : "";
  }

  // Counts of memory are differences, others what happened since the sample before.
  void read_counter(Element counter, std::optional<Element> samples) {
    const Table table(samples);
    const std::string name(json::text(member(counter, "name")));
    const std::string category(json::text(member(counter, "category")));
    const std::string unit(unit_of(counter, category));
    const std::string_view description = json::text(member(counter, "description"));
    if (!description.empty()) sink_.set_metadata("counter " + name, description);
    const LaneId process = process_of_counter(counter);
    const auto add = [&](const std::string& shown, std::string_view column, bool are_differences) {
      const auto type = sink_.type(trace::Category::kVariable, shown, category);
      const LaneId lane =
          sink_.add_lane({.name = shown, .parent = process, .kind = trace::LaneKind::kCounter});
      add_samples(table, column, lane, type, are_differences);
    };
    add(unit.empty() ? name : fmt::format("{} [{}]", name, unit), "count", category == "Memory");
    // How often it changed since the sample before.
    const bool has_operations = category == "Memory" || category == "Bandwidth";
    if (has_operations && table.column("number").next()) add(name + " operations", "number", false);
  }

  void add_samples(const Table& table, std::string_view column, LaneId lane, EventTypeId type,
                   bool are_differences) {
    firefox::Times times = table.times();
    firefox::Column values = table.column(column);
    double sum = 0;
    while (times.next() && values.next()) {
      double value = values.number();
      if (are_differences) value = sum += std::isnan(value) ? 0 : value;
      trace::VariableSample sample{.time = {}, .value = value, .lane = lane, .type = type};
      if (std::isnan(value) || !firefox::time_from(times.ms() + profile_.offset_ms, sample.time))
        continue;
      sink_.give(sample);
    }
  }

  struct Profile {
    firefox::MarkerSchema schema;
    double offset_ms = 0;  // from its clock to the first profile's
    double interval_ms = 0;
    LaneId process = LaneId::none();  // of its first thread
    std::optional<Element> shared;
    firefox::Strings shared_strings{};
    firefox::Strings tracer_names{};  // of Gecko's tracer of JavaScript
    std::vector<std::string> libs{};
    std::shared_ptr<stacks::StackTree> shared_stacks{};  // made when a thread needs them
  };

  trace::EventSink& sink_;
  stacks::StackTimeline timeline_;
  firefox::MarkerLinks links_;
  Profile profile_;
  std::optional<firefox::DevtoolsRecording> recording_;
  std::optional<double> recorded_ms_;  // how long the performance tools recorded
  double start_ms_ = 0;                // of the first profile
  uint64_t threads_ = 0;
  std::unordered_map<uint32_t, std::string> frame_names_;            // by type
  std::map<std::pair<std::string, std::string>, LaneId> processes_;  // by id and program
};

}  // namespace

int sniff_firefox(std::span<const std::byte> head) {
  const std::string_view text = as_chars(head);
  const auto has = [&](std::string_view what) { return text.find(what) != std::string_view::npos; };
  if (firefox::are_json_slabs(text)) return 90;
  if (!trimmed(text).starts_with('{')) return 0;
  if (has("\"preprocessedProfileVersion\"") || has("\"stackTable\"")) return 96;
  if (has("\"meta\"") && has("\"stackwalk\"")) return 92;
  if (firefox::begins_as_devtools_recording(text)) return 92;
  return has("\"breakpadId\"") && has("\"debugPath\"") ? 60 : 0;  // libraries come first
}

Status read_firefox(io::Source& source, trace::EventSink& sink, const ReadContext& context) {
  WEFT_TRY_ASSIGN(const auto head, source.peek(kHeadBytes));
  std::unique_ptr<firefox::SlabText> slabs;
  if (firefox::are_json_slabs(as_chars(head))) {
    WEFT_TRY_ASSIGN(slabs, firefox::SlabText::open(source, sink));
  }
  WEFT_TRY_ASSIGN(const json::Document document,
                  json::Document::read(slabs ? *slabs : source, sink, context.memory_bytes));
  FirefoxReader(sink).read(document.root());
  return {};
}

}  // namespace weft::formats
