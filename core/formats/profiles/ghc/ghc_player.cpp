#include "core/formats/profiles/ghc/ghc_player.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>

#include "core/base/text.h"
#include "core/formats/base/args_text.h"
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

constexpr stacks::StateColor kColors[] = {{kRunning, trace::kRunsRgb},
                                          {kRunnable, trace::kCouldRunRgb},
                                          {"foreign call", trace::kCannotBeWokenRgb}};

}  // namespace

void Player::play(const Event& event) {
  end_ = std::max(end_, event.time);
  if (play_thread(event) || play_collection(event) || play_heap(event) ||
      play_heap_profile(event) || play_text(event) || play_description(event))
    return;
  const auto name = names_.find(event.type);
  add_punctual(event, here(event),
               name == names_.end() ? fmt::format("event {}", event.type) : name->second, {});
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
      stop(event, subject, take_big<uint16_t>(payload).value_or(0));
      break;
    case kCreateThread:
    case kThreadRunnable:
    case kThreadWakeup:
      if (subject.held.state == kRunning) break;
      subject.waker = here(event);
      subject.woken = event.time;
      change(subject, kRunnable, event.time);
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
    const trace::LinkEvent link{.send = subject.woken,
                                .receive = event.time,
                                .source = subject.waker,
                                .target = subject.lane,
                                .type = sink_.type(Category::kLink, "wake-up")};
    sink_.links({&link, 1});
    subject.waker = LaneId::none();
  }
  change(subject, kRunning, event.time);
  Capability& on = capability(event.capability);
  leave(on, event.time);
  on.running = number;
  on.since = event.time;
}

void Player::stop(const Event& event, Thread& subject, uint16_t status) {
  const std::string_view reason = status < std::size(kReasons) ? kReasons[status] : "blocked";
  change(subject, reason == kFinished ? std::string_view() : reason, event.time);
  leave(capability(event.capability), event.time);
}

void Player::change(Thread& subject, std::string_view state, Time now) {
  subject.held.change(sink_, subject.lane, state, now, "thread", kColors);
}

void Player::leave(Capability& on, Time now) {
  if (on.running == 0) return;
  const Thread& was = threads_[on.running];
  if (now >= on.since) {
    const trace::StateEvent event{
        .begin = on.since,
        .duration = now - on.since,
        .lane = on.lane,
        .type = sink_.type(Category::kState,
                           was.label.empty() ? fmt::format("thread {}", on.running) : was.label,
                           "on capability")};
    sink_.states({&event, 1});
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

bool Player::play_heap(const Event& event) {
  constexpr std::string_view kNames[] = {"allocated", "size", "live"};
  if (event.type < kHeapAllocated || event.type > kHeapLive) return false;
  std::string_view payload = event.payload;
  const auto capset = take_big<uint32_t>(payload);
  const auto bytes = take_big<uint64_t>(payload);
  if (!capset || !bytes) return false;
  const std::string_view name = kNames[event.type - kHeapAllocated];
  LaneId& lane = heap_.try_emplace(event.type, LaneId::none()).first->second;
  if (lane.is_none())
    lane = sink_.add_lane({.name = std::string(name),
                           .parent = group(heap_group_, "Heap"),
                           .kind = LaneKind::kCounter});
  add_sample(lane, event.time, *bytes, name);
  return true;
}

// A sample says of each part how much of the heap it has; those that it does not name have none.
bool Player::play_heap_profile(const Event& event) {
  if (event.type == kHeapSampleBegin) {
    for (auto& [name, part] : heap_parts_) part.was_sampled = false;
    return true;
  }
  if (event.type == kHeapSampleEnd) {
    for (auto& [name, part] : heap_parts_) {
      if (part.is_there && !part.was_sampled) add_sample(part.lane, event.time, 0, name);
      part.is_there = part.was_sampled;
    }
    return true;
  }
  if (event.type != kHeapSample) return false;
  std::string_view payload = event.payload;
  const auto profile = take_big<uint8_t>(payload);
  const auto bytes = take_big<uint64_t>(payload);
  if (!profile || !bytes) return false;
  const std::string name = valid_utf8(until_zero(payload));
  HeapPart& part = heap_parts_[name];
  if (part.lane.is_none())
    part.lane = sink_.add_lane({.name = name,
                                .parent = group(profile_group_, "Heap profile"),
                                .kind = LaneKind::kCounter});
  part.is_there = part.was_sampled = true;
  add_sample(part.lane, event.time, *bytes, name);
  return true;
}

void Player::add_sample(LaneId lane, Time time, uint64_t bytes, std::string_view name) {
  const trace::VariableSample sample{.time = time,
                                     .value = static_cast<double>(bytes),
                                     .lane = lane,
                                     .type = sink_.type(Category::kVariable, name, "heap")};
  sink_.variables({&sample, 1});
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
  if (event.type == kStartup || (event.type >= kCapsetCreate && event.type < kRuntime) ||
      event.type == kWallClock || event.type == kProgramEnvironment)
    return true;
  if (event.type < kRuntime || event.type > kProcess || !take_big<uint32_t>(payload)) return false;
  if (event.type == kProcess) {
    if (const auto process = take_big<uint32_t>(payload))
      sink_.set_metadata("process", fmt::format("{}", *process));
    return true;
  }
  std::string text = valid_utf8(payload);
  std::ranges::replace(text, '\0', ' ');
  sink_.set_metadata(event.type == kRuntime ? "runtime" : "program", text);
  return true;
}

void Player::add_punctual(const Event& event, LaneId lane, std::string_view type,
                          std::string_view text) {
  ArgsText params;
  if (!text.empty()) params.add("text", text);
  const trace::PunctualEvent punctual{.time = event.time,
                                      .params = sink_.params(params.take()),
                                      .lane = lane,
                                      .type = sink_.type(Category::kPunctual, valid_utf8(type))};
  sink_.punctuals({&punctual, 1});
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
}

}  // namespace weft::formats::ghc
