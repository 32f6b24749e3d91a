#include "core/formats/profiles/jfr/jfr_player.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/base/saturating.h"
#include "core/base/time.h"
#include "core/formats/base/args_text.h"

namespace weft::formats::jfr {
namespace {

// Measured again and again: their numbers are variables.
constexpr auto kMeasures = std::to_array<std::string_view>({"jdk.CPULoad",
                                                            "jdk.ThreadCPULoad",
                                                            "jdk.GCHeapSummary",
                                                            "jdk.MetaspaceSummary",
                                                            "jdk.PhysicalMemory",
                                                            "jdk.SwapSpace",
                                                            "jdk.ResidentSetSize",
                                                            "jdk.JavaThreadStatistics",
                                                            "jdk.ClassLoadingStatistics",
                                                            "jdk.ExceptionStatistics",
                                                            "jdk.NetworkUtilization",
                                                            "jdk.ThreadContextSwitchRate",
                                                            "jdk.DirectBufferStatistics",
                                                            "jdk.CodeCacheStatistics",
                                                            "jdk.CompilerStatistics",
                                                            "jdk.NativeMemoryUsageTotal",
                                                            "jdk.NativeMemoryUsage",
                                                            "jdk.ThreadAllocationStatistics",
                                                            "jdk.GCHeapMemoryUsage",
                                                            "jdk.ContainerCPUUsage",
                                                            "jdk.ContainerMemoryUsage",
                                                            "jdk.FinalizerStatistics",
                                                            "jdk.SymbolTableStatistics",
                                                            "jdk.StringTableStatistics"});
// Which of several that was; each has a lane of its own.
constexpr auto kOfWhich = std::to_array<std::string_view>(
    {"type", "codeBlobType", "networkInterface", "finalizableClass"});
constexpr auto kSamples =
    std::to_array<std::string_view>({"jdk.ExecutionSample", "jdk.NativeMethodSample",
                                     "profiler.WallClockSample", "jdk.CPUTimeSample"});
// Said once of all, and worth to be seen beside the trace.
constexpr auto kAbout = std::to_array<std::string_view>(
    {"jdk.JVMInformation", "jdk.OSInformation", "jdk.CPUInformation", "jdk.GCConfiguration"});

constexpr Duration kSampleInterval{20'000'000};  // of the recorder's own settings

template <size_t kSize>
bool is_one_of(const std::array<std::string_view, kSize>& names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

std::string_view short_name(std::string_view name) {
  constexpr std::string_view kOwn = "jdk.";
  return name.starts_with(kOwn) ? name.substr(kOwn.size()) : name;
}

std::string category_path(const Class& of) {
  std::string path;
  for (const std::string& category : of.categories) path += (path.empty() ? "" : "/") + category;
  return path.empty() ? "Other" : path;
}

// Fields that describe when, where and by whom rather than what.
bool is_about_the_event(std::string_view field) {
  constexpr auto kFields = std::to_array<std::string_view>(
      {"startTime", "duration", "eventThread", "sampledThread", "stackTrace"});
  return is_one_of(kFields, field);
}

}  // namespace

int64_t Clock::nanoseconds(int64_t ticks) const {
  const auto rate = static_cast<uint64_t>(std::max<int64_t>(1, ticks_per_second));
  return saturating_scale(ticks, kNsPerSecond, rate);
}

Time Clock::time(int64_t ticks) const {
  int64_t since = 0, time = 0;
  if (__builtin_sub_overflow(ticks, begin_ticks, &since) ||
      __builtin_add_overflow(begin_ns, nanoseconds(since), &time))
    return {begin_ns};
  return {time};
}

void Player::add(Values& values, const Class& of, const Value& event, uint64_t offset) {
  const Time begin = clock_.time(values.integer(event, "startTime"));
  if (is_one_of(kSamples, of.name)) return add_sample(values, event, begin, offset);
  if (is_one_of(kMeasures, of.name)) return add_measures(values, of, event, begin);
  const Value& by = values.part(event, "eventThread");
  const Value& about = values.part(event, "thread");
  LaneId lane = thread(values, by.kind == Value::Kind::kObject ? by : about);
  if (lane.is_none()) lane = lanes_.lane_of(category_path(of));
  if (is_one_of(kAbout, of.name)) add_metadata(values, of, event);
  const std::string group = of.categories.empty() ? "" : of.categories.back();
  const std::string json = params_of(values, of, event);
  const ParamsId params = sink_.params(json);
  const Value& lasted = values.part(event, "duration");
  if (lasted.kind != Value::Kind::kInteger) {
    sink_.give(trace::PunctualEvent{
        .time = begin,
        .params = params,
        .lane = lane,
        .type = sink_.type(trace::Category::kPunctual, short_name(of.name), group)});
    return add_links(values, of, event, lane, begin);
  }
  const Duration duration{std::max<int64_t>(0, clock_.nanoseconds(lasted.integer))};
  sink_.give(
      trace::StateEvent{.begin = begin,
                        .duration = duration,
                        .params = params,
                        .lane = lane,
                        .type = sink_.type(trace::Category::kState, short_name(of.name), group)});
  add_links(values, of, event, lane, begin + duration);
}

// A thread's number may be given again; its name may change.
LaneId Player::thread(Values& values, const Value& value) {
  const Value& object = values.resolved(value);
  const bool is_old = object.kind == Value::Kind::kObject && object.of->name == "JavaThread";
  const Value& known = is_old ? values.part(object, "thread") : object;
  if (known.kind != Value::Kind::kObject || known.of->name != "java.lang.Thread")
    return LaneId::none();
  const std::string name = values.text(known);
  const int64_t number = values.integer(known, "osThreadId");
  const std::string shown = name.empty() ? fmt::format("thread {}", number) : name;
  const auto [it, is_new] =
      threads_.try_emplace(fmt::format("{} {}", number, shown), LaneId::none());
  if (is_new) {
    it->second = sink_.add_lane(
        {.name = shown, .parent = lanes_.lane_of("Threads"), .kind = trace::LaneKind::kThread});
  }
  return it->second;
}

LaneId Player::samples_of(LaneId thread) {
  const auto [it, is_new] = samples_by_thread_.try_emplace(thread.value(), LaneId::none());
  if (is_new) it->second = sink_.add_lane({.name = "samples", .parent = thread});
  return it->second;
}

void Player::add_sample(Values& values, const Value& event, Time time, uint64_t offset) {
  const Value& sampled = values.part(event, "sampledThread");
  const LaneId of = thread(
      values, sampled.kind == Value::Kind::kNothing ? values.part(event, "eventThread") : sampled);
  if (of.is_none()) return sink_.loss("sample without a thread", offset);
  Sample sample{.time = time, .lane = samples_of(of), .frames = {}};
  const Value& trace = values.part(event, "stackTrace");
  const Value& frames = values.part(trace, "frames");
  for (const Value& frame : frames.parts)
    sample.frames.push_back(sink_.type(trace::Category::kState,
                                       values.text(values.reference(frame, "method")), "method"));
  std::ranges::reverse(sample.frames);
  samples_.push_back(std::move(sample));
}

// The measuring thread is irrelevant, unless it is what was measured.
void Player::add_measures(Values& values, const Class& of, const Value& event, Time time) {
  const bool is_own = of.name == "jdk.ThreadCPULoad";
  LaneId lane = thread(values, values.part(event, is_own ? "eventThread" : "thread"));
  if (lane.is_none()) {
    std::string path = fmt::format("{}/{}", category_path(of), short_name(of.name));
    for (const std::string_view field : kOfWhich) {
      std::string which = values.text(values.reference(event, field));
      std::ranges::replace(which, '/', '.');
      if (!which.empty()) path.append(1, '/').append(which);
    }
    lane = lanes_.lane_of(path);
  }
  add_numbers({}, event, short_name(of.name), lane, time);
}

// "gcThreshold", and of what a field consists of "metaspace.used". Places in memory measure
// nothing.
void Player::add_numbers(const std::string& prefix, const Value& object, std::string_view group,
                         LaneId lane, Time time) {
  for (size_t i = 0; i < object.parts.size(); ++i) {
    const Value& value = object.parts[i];
    const Field& field = object.of->fields[i];
    if (is_about_the_event(field.name) || field.name == "gcId" || field.is_address) continue;
    if (value.kind == Value::Kind::kObject)
      add_numbers(prefix + field.name + '.', value, group, lane, time);
    const bool is_number = value.kind == Value::Kind::kInteger || value.kind == Value::Kind::kReal;
    if (!is_number) continue;
    const double number = value.kind == Value::Kind::kReal ? value.real
                          : value.is_unsigned
                              ? static_cast<double>(static_cast<uint64_t>(value.integer))
                              : static_cast<double>(value.integer);
    sink_.give(trace::VariableSample{
        .time = time,
        .value = number,
        .lane = lane,
        .type = sink_.type(trace::Category::kVariable, prefix + field.name, group)});
  }
}

// Links a wait to its end, and a thread to its starter.
void Player::add_links(Values& values, const Class& of, const Value& event, LaneId lane, Time end) {
  const auto from = [&](std::string_view field) {
    return thread(values, values.part(event, field));
  };
  if (of.name == "jdk.JavaMonitorEnter") add_link("monitor", from("previousOwner"), lane, end);
  if (of.name == "jdk.JavaMonitorWait") add_link("notify", from("notifier"), lane, end);
  if (of.name == "jdk.ThreadStart") {
    const LaneId started = thread(values, values.part(event, "thread"));
    add_link("start", from("parentThread"), started.is_none() ? lane : started, end);
  }
}

void Player::add_link(std::string_view name, LaneId from, LaneId to, Time time) {
  if (from.is_none() || to.is_none() || from == to) return;
  sink_.give(trace::LinkEvent{.send = time,
                              .receive = time,
                              .source = from,
                              .target = to,
                              .type = sink_.type(trace::Category::kLink, name)});
}

void Player::add_metadata(Values& values, const Class& of, const Value& event) {
  for (size_t i = 0; i < event.parts.size(); ++i) {
    const std::string text = values.text(event.parts[i]);
    if (!is_about_the_event(of.fields[i].name) && !text.empty())
      sink_.set_metadata(fmt::format("{}: {}", short_name(of.name), of.fields[i].name), text);
  }
}

// Null values are left out.
std::string Player::params_of(Values& values, const Class& of, const Value& event) {
  ArgsText params;
  for (size_t i = 0; i < event.parts.size(); ++i) {
    const Field& field = of.fields[i];
    const Value& value = values.resolved(event.parts[i]);
    if (value.kind == Value::Kind::kNothing || is_about_the_event(field.name)) continue;
    if (field.unit != Field::Unit::kNone && value.kind == Value::Kind::kInteger) {
      const bool is_ms = field.unit == Field::Unit::kMilliseconds;
      params.add(field.name + (is_ms ? "_ms" : "_ns"), field.unit == Field::Unit::kTicks
                                                           ? clock_.nanoseconds(value.integer)
                                                           : value.integer);
      continue;
    }
    params.name(field.name);
    values.add_to(params, event.parts[i]);
  }
  const Value& trace = values.reference(event, "stackTrace");
  if (values.resolved(trace).kind == Value::Kind::kObject) params.add("stack", values.text(trace));
  return params.take();
}

void Player::end_chunk() {
  std::ranges::stable_sort(samples_, {}, &Sample::time);
  for (const Sample& sample : samples_) {
    const auto it =
        sampled_.try_emplace(sample.lane.value(), timeline_, sample.lane, kSampleInterval).first;
    it->second.add(sample.time, sample.frames);
  }
  for (auto& [lane, sampled] : sampled_) sampled.finish();
  sampled_.clear();
  samples_.clear();
}

}  // namespace weft::formats::jfr
