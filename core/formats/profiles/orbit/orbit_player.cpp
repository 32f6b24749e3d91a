#include "core/formats/profiles/orbit/orbit_player.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/base/text.h"
#include "core/formats/base/args_text.h"
#include "core/formats/base/text.h"
#include "core/formats/profiles/orbit/orbit_fields.h"
#include "core/trace/task_colors.h"

namespace weft::formats::orbit {
namespace {

struct ThreadState {
  std::string_view name;
  uint32_t rgb;
};
// ThreadStateSlice.ThreadState; colours as those of Linux' scheduler elsewhere.
constexpr auto kThreadStates =
    std::to_array<ThreadState>({{"running", trace::kRunsRgb},
                                {"runnable", trace::kCouldRunRgb},
                                {"sleeping", trace::kWaitsRgb},
                                {"uninterruptible sleep", trace::kCannotBeWokenRgb},
                                {"stopped", trace::kIsStoppedRgb},
                                {"traced", trace::kIsStoppedRgb},
                                {"dead", trace::kIsDeadRgb},
                                {"zombie", trace::kIsDeadRgb},
                                {"parked", trace::kIsIdleRgb},
                                {"idle", trace::kIsIdleRgb}});

}  // namespace

// ---- lanes

LaneId Player::root(std::string_view name, trace::LaneKind kind, int32_t sort_index) {
  const auto [it, is_new] = roots_.try_emplace(std::string(name), LaneId::none());
  if (is_new)
    it->second =
        sink_.add_lane({.name = std::string(name), .kind = kind, .sort_index = sort_index});
  return it->second;
}

LaneId Player::below(LaneId lane, std::string_view name) {
  const auto [it, is_new] =
      below_.try_emplace(std::pair(lane.value(), std::string(name)), LaneId::none());
  if (is_new) it->second = sink_.add_lane({.name = valid_utf8(name), .parent = lane});
  return it->second;
}

LaneId Player::processor(int32_t core) {
  const LaneId all = root("Processors", trace::LaneKind::kGroup, 1);
  const std::string name = fmt::format("CPU {}", core);
  const auto [it, is_new] = below_.try_emplace(std::pair(all.value(), name), LaneId::none());
  if (is_new) {
    it->second = sink_.add_lane(
        {.name = name, .parent = all, .kind = trace::LaneKind::kCpu, .sort_index = core});
  }
  return it->second;
}

LaneId Player::process(uint32_t pid) {
  const auto [it, is_new] = processes_.try_emplace(pid, LaneId::none());
  if (is_new) {
    const bool is_own = pid == pid_ && !executable_.empty();
    it->second =
        sink_.add_lane({.name = is_own ? fmt::format("{} ({})", file_name_of(executable_), pid)
                                       : fmt::format("process {}", pid),
                        .kind = trace::LaneKind::kProcess,
                        .sort_index = pid == pid_ ? 2 : 3});
  }
  return it->second;
}

std::string Player::thread_name(uint32_t tid) const {
  const std::string name = names_.thread(tid);
  return name.empty() ? fmt::format("thread {}", tid) : fmt::format("{} ({})", name, tid);
}

trace::Lane Player::thread_lane(uint32_t pid, uint32_t tid) {
  return {.name = thread_name(tid),
          .parent = process(pid),
          .kind = trace::LaneKind::kThread,
          .sort_index = static_cast<int32_t>(tid & INT32_MAX)};
}

LaneId Player::thread(uint32_t pid, uint32_t tid) {
  if (pid != 0) names_.set_process(tid, pid);
  const auto [it, is_new] = threads_.try_emplace(tid, LaneId::none());
  if (is_new) it->second = sink_.add_lane(thread_lane(names_.process_of(tid, pid_), tid));
  return it->second;
}

// ---- events

EventTypeId Player::type(std::string_view name, std::string_view group, uint32_t rgba) {
  constexpr uint32_t kAlphaBits = 8;
  const EventTypeId id = sink_.type(trace::Category::kState, valid_utf8(name), valid_utf8(group));
  if (rgba != 0) sink_.set_type_color(id, rgba >> kAlphaBits);
  return id;
}

void Player::add_state(LaneId lane, Time begin, Duration duration, EventTypeId of,
                       const std::string& json, uint32_t nesting) {
  const trace::StateEvent state{.begin = begin,
                                .duration = std::max(duration, Duration{}),
                                .params = sink_.params(json),
                                .lane = lane,
                                .type = of,
                                .nesting = nesting};
  last_ = std::max(last_, begin + state.duration);
  sink_.give(state);
}

void Player::add_instant(LaneId lane, Time time, std::string_view name, std::string_view group,
                         const std::string& json) {
  const trace::PunctualEvent instant{
      .time = time,
      .params = sink_.params(json),
      .lane = lane,
      .type = sink_.type(trace::Category::kPunctual, valid_utf8(name), valid_utf8(group))};
  last_ = std::max(last_, time);
  sink_.give(instant);
}

void Player::add_variable(LaneId lane, Time time, std::string_view name, double value) {
  const trace::VariableSample sample{
      .time = time,
      .value = value,
      .lane = lane,
      .type = sink_.type(trace::Category::kVariable, valid_utf8(name))};
  last_ = std::max(last_, time);
  sink_.give(sample);
}

bool Player::add(std::string_view event, uint64_t offset) {
  offset_ = offset;
  is_damaged_ = false;
  bool is_finished = false;
  const bool is_whole = perfetto::for_each_field(event, [&](const Field& field) {
    add_event(field.number, field.bytes);
    is_finished |= field.number == kCaptureFinished;
  });
  if (!is_whole || is_damaged_) sink_.loss("event that is damaged", offset);
  return is_finished;
}

void Player::add_event(uint32_t number, std::string_view bytes) {
  const Message message(bytes);
  is_damaged_ |= !message.is_whole();
  switch (number) {
    case kCallstackSample:
      return add_sample(message);
    case kFunctionCall:
      return add_call(message);
    case kGpuJob:
      return add_job(message);
    case kGpuSubmission:
      return add_submission(message, bytes);
    case kInternedCallstack:
      is_damaged_ |= !names_.add_stack(message);
      if (names_.has_left_out()) sink_.loss("stack beyond the reader's memory (--memory)", offset_);
      return;
    case kSchedulingSlice:
      return add_slice(message);
    case kThreadState:
      return add_thread_state(message);
    case kTracepoint:
      return add_tracepoint(message);
    case kScopeStart:
      return add_scope(message);
    case kScopeStop:
      return end_scope(message);
    case kAddress:
      return names_.add_address(message);
    case kInternedString:
      return names_.add_text(message);
    case kInternedTracepoint:
      is_damaged_ |= !names_.add_tracepoint(message);
      return;
    case kThreadName:
      return add_thread_name(message);
    case kAsyncStart:
      return add_async_scope(message);
    case kAsyncStop:
      return end_async_scope(message);
    case kApiString:
      return add_string(message);
    case kTrackDouble:
    case kTrackFloat:
    case kTrackInt:
    case kTrackInt64:
    case kTrackUint:
    case kTrackUint64:
      return add_track_value(number, message);
    default:
      return add_other_event(number, message);
  }
}

// Handles rare events.
void Player::add_other_event(uint32_t number, const Message& message) {
  constexpr uint32_t kPid = 1, kTime = 2, kModule = 3, kNames = 2;
  switch (number) {
    case kCaptureStarted:
      return add_started(message);
    case kCaptureFinished:
      return add_finished(message);
    case kModuleUpdate:
      return add_module(message.uint32(kPid), message.time(kTime), message.text(kModule),
                        "module loaded");
    case kModules:
      return add_modules(message);
    case kThreadNames:
      message.for_each(kNames, [this](const Field& field) {
        const Message name(field.bytes);
        is_damaged_ |= !name.is_whole();
        add_thread_name(name);
      });
      return;
    case kMemoryUsage:
      return add_memory(message);
    case kPresent:
      return add_present(message);
    case kClockResolution:
      return sink_.set_metadata("clock resolution", fmt::format("{} ns", message.number(2)));
    case kWarning:
      return add_texts(message, "warning");
    case kApiError:
      return add_texts(message, "Orbit API could not be enabled");
    case kInstrumentationError:
      return add_texts(message, "instrumentation could not be enabled");
    case kPerfErrors:
      return add_texts(message, "perf events could not be opened");
    case kInstrumentationWarning:
    case kUprobesWarning:
      return add_texts(message, "functions could not be instrumented");
    case kLostRecords:
      return add_gap(message, "records of perf lost");
    case kDiscarded:
      return add_gap(message, "events out of order discarded");
    default:
      sink_.loss("event of an unknown kind", offset_);
  }
}

void Player::add_sample(const Message& message) {
  enum : uint32_t { kPid = 1, kTid, kStack, kTime };
  last_ = std::max(last_, message.time(kTime));
  held_.add_sample({.time = message.time(kTime),
                    .interval = sample_interval_,
                    .lane = below(thread(message.uint32(kPid), message.uint32(kTid)), "samples"),
                    .process = message.uint32(kPid),
                    .stack = message.number(kStack)});
}

void Player::add_call(const Message& message) {
  enum : uint32_t { kPid = 1, kTid, kFunction, kEnd = 5, kDepth, kResult, kRegisters, kDuration };
  ArgsText json;
  json.add("function id", message.number(kFunction));
  if (message.has(kResult)) json.add("return value", message.number(kResult));
  std::vector<uint64_t> registers;
  message.for_each(kRegisters, [&](const Field& field) {
    is_damaged_ |= !perfetto::for_each_number(
        field, [&registers](uint64_t value) { registers.push_back(value); });
  });
  if (!registers.empty()) {
    json.name("registers");
    json.begin('[');
    for (const uint64_t value : registers) json.pointer(value);
    json.end(']');
  }
  add_state(thread(message.uint32(kPid), message.uint32(kTid)),
            message.time(kEnd) - message.duration(kDuration), message.duration(kDuration),
            type(names_.function(message.number(kFunction)), "function"), json.take(),
            message.uint32(kDepth));
}

void Player::add_slice(const Message& message) {
  enum : uint32_t { kPid = 1, kTid, kCore, kOut = 5, kDuration };
  const uint32_t pid = message.uint32(kPid), tid = message.uint32(kTid);
  if (pid != 0 && pid != UINT32_MAX) names_.set_process(tid, pid);
  ArgsText json;
  json.add("pid", static_cast<int32_t>(pid));
  json.add("tid", static_cast<int32_t>(tid));
  add_state(processor(message[kCore].int32()), message.time(kOut) - message.duration(kDuration),
            message.duration(kDuration), type(thread_name(tid), "scheduled"), json.take());
}

// Its begin is where somebody woke it, or where it left the processor.
void Player::add_thread_state(const Message& message) {
  enum : uint32_t {
    kTid = 2,
    kState = 3,
    kEnd = 5,
    kDuration = 6,
    kWaker = 7,
    kWakerProcess = 8,
    kReason = 9,
    kStackStatus = 10,
    kStack = 11,
  };
  constexpr uint64_t kCreated = 2, kHasStack = 2;
  const LaneId lane = thread(0, message.uint32(kTid));
  const Time begin = message.time(kEnd) - message.duration(kDuration);
  const uint64_t state = message.number(kState);
  const bool is_known = state < kThreadStates.size();
  const ThreadState shown =
      is_known ? kThreadStates[static_cast<size_t>(state)] : ThreadState{"unknown state", 0};
  const EventTypeId of = type(shown.name, "thread state");
  if (is_known) sink_.set_type_color(of, shown.rgb);
  ArgsText json;
  if (const uint64_t reason = message.number(kReason); reason != 0) {
    const uint32_t waker = message.uint32(kWaker);
    const bool is_created = reason == kCreated;
    json.add(is_created ? "created by" : "woken by", thread_name(waker));
    sink_.give(trace::LinkEvent{
        .send = begin,
        .receive = begin,
        .source = below(thread(message.uint32(kWakerProcess), waker), "state"),
        .target = below(lane, "state"),
        .type = sink_.type(trace::Category::kLink, is_created ? "create" : "wake-up")});
  }
  last_ = std::max(last_, message.time(kEnd));
  held_.add({.begin = begin,
             .duration = message.duration(kDuration),
             .is_state = true,
             .lane = below(lane, "state"),
             .type = of,
             .json = json.take(),
             .process = pid_,
             .stack = message.number(kStackStatus) == kHasStack ? message.number(kStack)
                                                                : stacks::kNoStack});
}

void Player::add_tracepoint(const Message& message) {
  enum : uint32_t { kPid = 1, kTid, kTime, kCpu, kKey };
  const auto [category, name] = names_.tracepoint(message.number(kKey));
  ArgsText json;
  json.add("cpu", message[kCpu].int32());
  add_instant(thread(message.uint32(kPid), message.uint32(kTid)), message.time(kTime), name,
              category, json.take());
}

void Player::add_thread_name(const Message& message) {
  enum : uint32_t { kPid = 1, kTid, kName };
  const uint32_t pid = message.uint32(kPid), tid = message.uint32(kTid);
  if (!names_.set_thread(pid, tid, message.text(kName))) return;
  const auto it = threads_.find(tid);
  if (it != threads_.end())
    sink_.update_lane(it->second, thread_lane(names_.process_of(tid, pid_), tid));
}

void Player::add_present(const Message& message) {
  enum : uint32_t { kPid = 1, kTid, kBegin, kDuration, kSource };
  constexpr auto kSources =
      std::to_array<std::string_view>({"Present", "Present (DXGI)", "Present (D3D9)"});
  const uint64_t source = message.number(kSource);
  add_state(
      thread(message.uint32(kPid), message.uint32(kTid)), message.time(kBegin),
      message.duration(kDuration),
      type(source < kSources.size() ? kSources[static_cast<size_t>(source)] : kSources.front(),
           "present"),
      {});
}

void Player::finish() {
  for (const auto& [id, scope] : scopes_) give_lost_scope(scope, last_);
  scopes_.clear();
  give_submissions();
  open_.finish(last_);
  held_.finish();
}

}  // namespace weft::formats::orbit
