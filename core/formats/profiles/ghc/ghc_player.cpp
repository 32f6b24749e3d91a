#include "core/formats/profiles/ghc/ghc_player.h"

#include <fmt/chrono.h>
#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <iterator>
#include <span>

#include "core/base/text.h"
#include "core/formats/base/args_text.h"
#include "core/formats/base/text.h"
#include "core/formats/profiles/ghc/ghc_fields.h"
#include "core/trace/task_colors.h"

namespace weft::formats::ghc {
namespace {

using trace::Category;
using trace::LaneKind;

constexpr std::string_view kRunning = "running", kRunnable = "runnable", kFinished = "finished";

// Why a thread stopped, by the number in the event.
constexpr std::string_view kReasons[] = {"stopped",
                                         kRunnable,  // heap overflow: it goes on after a collection
                                         kRunnable,  // stack overflow
                                         kRunnable,  // yielding
                                         "blocked",
                                         kFinished,
                                         "foreign call",
                                         "blocked on MVar",
                                         "blocked on black hole",
                                         "blocked on reading",
                                         "blocked on writing",
                                         "blocked on delay",
                                         "blocked on STM",
                                         "blocked on DoProc",
                                         "blocked on foreign call",
                                         "blocked on foreign call",
                                         "blocked on message",
                                         "blocked on migration",
                                         "blocked",
                                         "blocked",
                                         "blocked on reading an MVar"};

constexpr uint16_t kStackOverflow = 2, kBlackHole = 8;  // of them, those that say more

constexpr stacks::StateColor kColors[] = {{kRunning, trace::kRunsRgb},
                                          {kRunnable, trace::kCouldRunRgb},
                                          {"foreign call", trace::kCannotBeWokenRgb}};

}  // namespace

void Player::play(const Event& event) {
  end_ = std::max(end_, event.time);
  messages_.learn(event);
  profiles_.learn(event);
  if (play_thread(event) || play_collection(event) || play_sparks(event) || heap_.play(event) ||
      play_time_profile(event) || profiles_.play(event) || messages_.play(event) ||
      play_text(event) || play_description(event))
    return;
  add_other(event);
}

// An event of which only the fields are known, or not even those: its bytes are kept.
void Player::add_other(const Event& event) {
  ArgsText fields;
  const std::string_view rest = add_fields(event.type, event.payload, fields);
  const auto name = names_.find(event.type);
  const std::string type =
      name == names_.end() ? fmt::format("event {}", event.type) : valid_utf8(name->second);
  sink_.give(
      trace::PunctualEvent{.time = event.time,
                           .params = sink_.params(fields.whole(), std::as_bytes(std::span(rest))),
                           .lane = here(event),
                           .type = sink_.type(Category::kPunctual, type)});
}

bool Player::play_thread(const Event& event) {
  std::string_view payload = event.payload;
  const bool is_known =
      event.type <= kMigrateThread || event.type == kThreadWakeup || event.type == kThreadLabel;
  const auto number = is_known ? take_big<uint32_t>(payload) : std::nullopt;
  if (!number) return false;
  Thread& subject = thread(*number);
  switch (event.type) {
    case kRunThread:
      run(event, subject, *number);
      break;
    case kStopThread:
      stop(event, subject, payload);
      break;
    case kCreateThread:
    case kThreadRunnable:
    case kThreadWakeup:
      if (subject.held.state == kRunning) break;
      subject.waker = here(event);
      subject.woken = event.time;
      change(subject, kRunnable, event.time);
      if (const auto other = take_big<uint16_t>(payload); other && event.type == kThreadWakeup)
        subject.held.params = number_param("capability", *other);
      break;
    case kThreadLabel:
      subject.label = valid_utf8(until_zero(payload));
      show(*number, subject);
      break;
    default:
      add_punctual(event, subject.lane, "migrates",
                   fmt::format("to capability {}", take_big<uint16_t>(payload).value_or(0)));
  }
  return true;
}

void Player::run(const Event& event, Thread& subject, uint32_t number) {
  if (!subject.waker.is_none()) {
    sink_.give(trace::LinkEvent{.send = subject.woken,
                                .receive = event.time,
                                .source = subject.waker,
                                .target = subject.lane,
                                .type = sink_.type(Category::kLink, "wake-up")});
    subject.waker = LaneId::none();
  }
  change(subject, kRunning, event.time);
  Capability& on = capability(event.capability);
  leave(on, event.time);
  on.running = number;
  on.since = event.time;
}

void Player::stop(const Event& event, Thread& subject, std::string_view payload) {
  const uint16_t status = take_big<uint16_t>(payload).value_or(0);
  const uint32_t more = take_big<uint32_t>(payload).value_or(0);
  const std::string_view reason = status < std::size(kReasons) ? kReasons[status] : "blocked";
  change(subject, reason == kFinished ? std::string_view() : reason, event.time);
  if (more != 0 && status == kStackOverflow) subject.held.params = number_param("stack size", more);
  if (more != 0 && status == kBlackHole) subject.held.params = number_param("owner", more);
  leave(capability(event.capability), event.time);
}

void Player::change(Thread& subject, std::string_view state, Time now) {
  subject.held.change(sink_, subject.lane, state, now, "thread", kColors);
}

ParamsId Player::number_param(std::string_view name, uint32_t number) {
  ArgsText params;
  params.add(name, number);
  return sink_.params(params.whole());
}

void Player::leave(Capability& on, Time now) {
  if (on.running == 0) return;
  const Thread& was = threads_[on.running];
  if (now >= on.since) {
    sink_.give(trace::StateEvent{
        .begin = on.since,
        .duration = now - on.since,
        .lane = on.lane,
        .type = sink_.type(Category::kState,
                           was.label.empty() ? fmt::format("thread {}", on.running) : was.label,
                           "on capability")});
  }
  on.running = 0;
}

// A capability's collections, within which it works, waits or is done.
bool Player::play_collection(const Event& event) {
  const bool is_of_one = event.type == kGcStart || event.type == kGcEnd ||
                         (event.type >= kGcIdle && event.type <= kGcDone);
  if (!is_of_one) return false;
  Capability& on = capability(event.capability);
  if (on.collections.is_none())
    on.collections = sink_.add_lane({.name = "garbage collection", .parent = on.lane});
  if (event.type == kGcStart) {
    open_.begin(on.collections, sink_.type(Category::kState, "garbage collection"), event.time,
                ParamsId::none(), event.offset);
  } else if (event.type == kGcEnd) {
    open_.end(on.collections, event.time, event.offset);
  } else {
    constexpr std::string_view kPhases[] = {"waits", "works", "done"};
    add_punctual(event, on.collections, kPhases[event.type - kGcIdle], {});
  }
  return true;
}

// Seven sums; of a program without sparks they are all 0, and not shown.
bool Player::play_sparks(const Event& event) {
  constexpr std::string_view kNames[] = {"created",   "dud",     "overflowed", "converted",
                                         "collected", "fizzled", "remaining"};
  if (event.type != kSparkCounters) return false;
  BinaryFields fields(event.payload);
  uint64_t sums[std::size(kNames)];
  for (uint64_t& each : sums) each = fields.big<uint64_t>();
  if (fields.has_failed()) return false;
  Capability& on = capability(event.capability);
  if (on.sparks.is_none() && std::ranges::count(sums, 0u) == std::ssize(sums)) return true;
  if (on.sparks.is_none()) on.sparks = sink_.add_lane({.name = "sparks", .parent = on.lane});
  for (size_t i = 0; i < std::size(kNames); ++i)
    variables_.add(on.sparks, kNames[i], "sparks", event.time, sums[i]);
  return true;
}

bool Player::play_time_profile(const Event& event) {
  std::string_view payload = event.payload;
  const auto number = event.type == kTimeSample ? take_big<uint32_t>(payload) : std::nullopt;
  return number && profiles_.play_time(capability(*number).lane, event.time, payload);
}

bool Player::play_text(const Event& event) {
  const std::string_view name = event.type == kUserMessage  ? "message"
                                : event.type == kUserMarker ? "marker"
                                : event.type == kLogMessage ? "log"
                                                            : "";
  if (name.empty()) return false;
  add_punctual(event, here(event), name, event.payload);
  return true;
}

// Events that describe the program, not a moment.
bool Player::play_description(const Event& event) {
  std::string_view payload = event.payload;
  if (event.type == kWallClock) return play_wall_clock(event);
  if (event.type < kRuntime || event.type > kParentProcess || !take_big<uint32_t>(payload))
    return false;
  if (event.type == kProcess || event.type == kParentProcess) {
    if (const auto process = take_big<uint32_t>(payload))
      sink_.set_metadata(event.type == kProcess ? "process" : "parent process",
                         fmt::format("{}", *process));
    return true;
  }
  std::string text = valid_utf8(payload);
  std::ranges::replace(text, '\0', ' ');
  constexpr std::string_view kKeys[] = {"runtime", "program", "environment"};
  sink_.set_metadata(kKeys[event.type - kRuntime], trimmed(text));
  return true;
}

// Of the moment of the event, which is near the beginning.
bool Player::play_wall_clock(const Event& event) {
  BinaryFields fields(event.payload);
  fields.big<uint32_t>();  // the capability set
  const auto seconds = fields.big<uint64_t>();
  const auto nanoseconds = fields.big<uint32_t>();
  constexpr uint64_t kMost = uint64_t{1} << 33;  // the year 2242
  if (fields.has_failed() || seconds >= kMost || nanoseconds >= 1'000'000'000) return false;
  const std::chrono::sys_seconds date(std::chrono::seconds(static_cast<int64_t>(seconds)));
  sink_.set_metadata(
      "date", fmt::format("{:%F %T}.{:09} UTC at {} ns", date, nanoseconds, event.time.ticks));
  return true;
}

void Player::add_punctual(const Event& event, LaneId lane, std::string_view type,
                          std::string_view text) {
  ArgsText params;
  if (!text.empty()) params.add("text", text);
  sink_.give(trace::PunctualEvent{.time = event.time,
                                  .params = sink_.params(params.take()),
                                  .lane = lane,
                                  .type = sink_.type(Category::kPunctual, valid_utf8(type))});
}

Player::Thread& Player::thread(uint32_t number) {
  Thread& found = threads_[number];
  if (found.lane.is_none()) show(number, found);
  return found;
}

void Player::show(uint32_t number, Thread& shown) {
  const trace::Lane lane{.name = shown.label.empty() ? fmt::format("thread {}", number)
                                                     : fmt::format("{} ({})", shown.label, number),
                         .parent = group(thread_group_, "Threads"),
                         .kind = LaneKind::kThread,
                         .sort_index = static_cast<int32_t>(number & 0x7FFFFFFF)};
  if (!shown.lane.is_none()) return sink_.update_lane(shown.lane, lane);
  shown.lane = sink_.add_lane(lane);
}

Player::Capability& Player::capability(uint32_t number) {
  Capability& found = capabilities_[number];
  if (found.lane.is_none())
    found.lane =
        sink_.add_lane({.name = number == kNoCapability ? std::string("runtime")
                                                        : fmt::format("capability {}", number),
                        .parent = group(capability_group_, "Capabilities"),
                        .kind = LaneKind::kCpu,
                        .sort_index = static_cast<int32_t>(number & 0x7FFFFFFF)});
  return found;
}

LaneId Player::here(const Event& event) {
  const Capability& on = capability(event.capability);
  return on.running == 0 ? on.lane : thread(on.running).lane;
}

LaneId Player::group(LaneId& lane, std::string_view name) {
  if (lane.is_none())
    lane =
        sink_.add_lane({.name = std::string(name), .sort_index = name == "Capabilities" ? -1 : 0});
  return lane;
}

void Player::finish() {
  for (auto& [number, on] : capabilities_) leave(on, end_);
  for (auto& [number, each] : threads_) change(each, {}, end_);
  open_.finish(end_);
  heap_.finish(end_);
  profiles_.finish();
  messages_.finish();
}

}  // namespace weft::formats::ghc
