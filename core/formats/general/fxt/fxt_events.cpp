#include "core/formats/general/fxt/fxt_events.h"

#include <fmt/core.h>

#include <algorithm>
#include <span>

#include "core/base/text.h"
#include "core/formats/base/args_text.h"

namespace weft::formats::fxt {
namespace {

using perfetto::Action;
using trace::Category;
using trace::LaneKind;

enum EventKind : uint64_t {
  kInstant = 0,
  kCounter = 1,
  kDurationBegin = 2,
  kDurationEnd = 3,
  kDurationComplete = 4,
  kAsyncBegin = 5,
  kAsyncInstant = 6,
  kAsyncEnd = 7,
  kFlowBegin = 8,
  kFlowStep = 9,
  kFlowEnd = 10,
};

constexpr uint64_t kBytesPerOwner = 96;
// Stacks of asynchronous operations are numbered beside those of lanes.
constexpr uint64_t kAsyncStack = uint64_t{1} << 32;

}  // namespace

Events::Events(trace::EventSink& sink, ftrace::Lanes& lanes, Objects& objects,
               uint64_t memory_bytes)
    : sink_(sink),
      lanes_(lanes),
      objects_(objects),
      timeline_(sink, memory_bytes / 2),
      links_(sink),
      order_(memory_bytes / 8),
      flows_(links_, memory_bytes / 8),
      most_owners_(memory_bytes / 8 / kBytesPerOwner) {}

bool Events::add_event(uint64_t header, Words record, const Provider& provider, uint64_t offset) {
  Event event{.kind = bits(header, 16, 19), .offset = offset};
  event.time = provider.time_of(record.word());
  event.thread = provider.thread(bits(header, 24, 31), record);
  event.category = provider.text(bits(header, 32, 47), record);
  const uint64_t name = bits(header, 48, 63);
  event.name = provider.text(name, record);
  if (!provider.knows_text(name)) sink_.loss("name that is not known", offset);
  event.arguments = take_arguments(bits(header, 20, 23), provider, record);
  // Kinds beyond those that need a word of their own have it, too.
  const bool has_more = event.kind == kCounter || event.kind >= kDurationComplete;
  Words more = record;
  if (has_more) record.word();
  if (record.is_cut()) return false;
  switch (event.kind) {
    case kCounter:
      add_counter(event, more.word());
      break;
    case kInstant:
    case kDurationBegin:
    case kDurationEnd:
    case kDurationComplete:
      add_duration(event, provider, more);
      break;
    case kAsyncBegin:
    case kAsyncInstant:
    case kAsyncEnd:
      add_async(event, provider, more);
      break;
    case kFlowBegin:
    case kFlowStep:
    case kFlowEnd:
      add_flow(event, more.word());
      break;
    default:
      sink_.loss("event of an unknown kind", {offset, LaneId::none(), event.time});
  }
  return true;
}

perfetto::Record Events::record_of(const Event& event, Action action, LaneId lane) {
  return {
      .time = event.time,
      .stack = lane.value(),
      .name = number_of(event.name),
      .offset = event.offset,
      .lane = lane,
      .type = type_of(action == Action::kInstant ? Category::kPunctual : Category::kState, event),
      .action = action};
}

void Events::add_duration(const Event& event, const Provider& provider, Words& rest) {
  constexpr Action kActions[] = {Action::kInstant, Action::kInstant, Action::kBegin, Action::kEnd,
                                 Action::kComplete};
  perfetto::Record record = record_of(event, kActions[event.kind], objects_.thread(event.thread));
  if (record.action == Action::kComplete) {
    const Time end = provider.time_of(rest.word());
    if (end < event.time)
      return sink_.loss("end before its begin", {event.offset, record.lane, event.time});
    record.duration = end - event.time;
  }
  if (record.action == Action::kEnd) record.name = 0;  // of the innermost, whatever it is called
  record.args =
      timeline_.keep_args(json_of(event.arguments, event.thread.process, provider, objects_));
  timeline_.add(record);
}

// What happens within an operation, whatever it is called, lies on the lane that this began on.
void Events::add_async(const Event& event, const Provider& provider, Words& rest) {
  constexpr Action kActions[] = {Action::kBegin, Action::kInstant, Action::kEnd};
  const LaneId process = objects_.process(event.thread.process);
  const AsyncKey key(event.thread.process, rest.word());
  Async* const known = async_of(key);
  if (known == nullptr)
    return sink_.loss("operation beyond the memory for them", {event.offset, process, event.time});
  Async& async = *known;
  if (async.open == 0) async.lane = lanes_.below(process, event.name);
  if (event.kind == kAsyncBegin) ++async.open;
  if (event.kind == kAsyncEnd && async.open > 0) --async.open;
  ended_.erase(async.ended);
  if (async.open == 0) ended_.emplace(async.ended = ++ends_, key);
  perfetto::Record record = record_of(event, kActions[event.kind - kAsyncBegin], async.lane);
  record.stack = async.stack;
  record.args =
      timeline_.keep_args(json_of(event.arguments, event.thread.process, provider, objects_));
  timeline_.add(record);
}

// Where there is no room for one more, it takes the place and the stack of the one that has been
// over for the longest: its begin or its end may come late, but not by so much. Null: none is over.
Events::Async* Events::async_of(const AsyncKey& key) {
  if (const auto known = asyncs_.find(key); known != asyncs_.end()) return &known->second;
  Async fresh{.stack = kAsyncStack + asyncs_.size()};
  if (asyncs_.size() >= most_owners_) {
    if (ended_.empty()) return nullptr;
    const auto over = asyncs_.find(ended_.begin()->second);
    fresh.stack = over->second.stack;
    ended_.erase(ended_.begin());
    asyncs_.erase(over);
  }
  return &asyncs_.emplace(key, fresh).first->second;
}

void Events::add_counter(const Event& event, uint64_t id) {
  const LaneId process = objects_.process(event.thread.process);
  for (const Argument& argument : event.arguments) {
    const auto value = argument.number();
    if (!value) {
      sink_.loss("counter whose value is not a number", {event.offset, process, event.time});
      continue;
    }
    const std::string name =
        valid_utf8(id == 0 ? fmt::format("{}.{}", event.name, argument.name)
                           : fmt::format("{}[{}].{}", event.name, id, argument.name));
    timeline_.add_sample(
        {.time = event.time,
         .value = *value,
         .lane = lanes_.below(process, name, LaneKind::kCounter),
         .type = sink_.type(Category::kVariable, name, valid_utf8(event.category))});
  }
}

void Events::add_flow(const Event& event, uint64_t id) {
  constexpr perfetto::FlowPart kParts[] = {perfetto::FlowPart::kBegin, perfetto::FlowPart::kStep,
                                           perfetto::FlowPart::kEnd};
  order_.add({.time = event.time,
              .process = event.thread.process,
              .id = id,
              .type = type_of(Category::kLink, event),
              .lane = objects_.thread(event.thread),
              .part = kParts[event.kind - kFlowBegin],
              .offset = event.offset},
             [this](const FlowPart& part) { resolve(part); });
}

// In order of time.
void Events::resolve(const FlowPart& part) {
  uint64_t owner = part.process;
  const auto it = flow_owners_.find(part.id);
  const bool is_known = it != flow_owners_.end();
  const bool is_own = is_known && std::ranges::find(it->second, owner) != it->second.end();
  constexpr size_t kMostOwners = 64;
  if (part.part == perfetto::FlowPart::kBegin) {
    const bool has_room = flow_owners_.size() < most_owners_;
    if (!is_own && has_room && (!is_known || it->second.size() < kMostOwners))
      flow_owners_[part.id].push_back(owner);
  } else if (!is_own && is_known && it->second.size() == 1) {
    owner = it->second.front();
  }
  flows_.add({{part.id, owner}, part.type, part.part}, part.time, part.lane, part.offset);
  if (part.part == perfetto::FlowPart::kEnd && is_known) {
    std::erase(it->second, owner);
    if (it->second.empty()) flow_owners_.erase(it);
  }
  constexpr size_t kBatch = 4096;
  if (links_.links.size() >= kBatch) links_.flush();
}

bool Events::add_log(uint64_t header, Words record, const Provider& provider, uint64_t offset) {
  Event event{.name = "log", .offset = offset};
  event.time = provider.time_of(record.word());
  event.thread = provider.thread(bits(header, 32, 39), record);
  const std::string_view message = record.stream(bits(header, 16, 30));
  if (record.is_cut()) return false;
  perfetto::Record instant = record_of(event, Action::kInstant, objects_.thread(event.thread));
  ArgsText text;
  text.add("message", message);
  instant.args = timeline_.keep_args(text.take());
  timeline_.add(instant);
  return true;
}

bool Events::add_blob(uint64_t header, Words record, const Provider& provider, uint64_t offset) {
  constexpr uint64_t kWithTime = 0;
  const uint64_t format = record.word();
  Event event{.offset = offset};
  event.category = provider.text(bits(format, 0, 15), record);
  event.name = provider.text(bits(format, 16, 31), record);
  if (bits(header, 40, 43) != kWithTime) {
    sink_.note("blob without a time: not shown", offset);
    return !record.is_cut();
  }
  event.time = provider.time_of(record.word());
  event.thread = provider.thread(bits(format, 36, 43), record);
  event.arguments = take_arguments(bits(format, 32, 35), provider, record);
  const std::string_view payload = record.stream(record.word());
  if (record.is_cut()) return false;
  const std::string json = json_of(event.arguments, event.thread.process, provider, objects_);
  sink_.give(trace::PunctualEvent{.time = event.time,
                                  .params = sink_.params(json, std::as_bytes(std::span(payload))),
                                  .lane = objects_.thread(event.thread),
                                  .type = type_of(Category::kPunctual, event)});
  return true;
}

EventTypeId Events::type_of(Category category, const Event& event) {
  return sink_.type(category, valid_utf8(event.name), valid_utf8(event.category));
}

// 0 where it has none.
uint32_t Events::number_of(std::string_view name) {
  if (name.empty()) return 0;
  return value_of(names_, name, static_cast<uint32_t>(names_.size() + 1));
}

void Events::finish() {
  order_.finish([this](const FlowPart& part) { resolve(part); });
  if (order_.late() > 0)
    sink_.note("flow later than the window of order", trace::LossPlace::nowhere(), order_.late());
  flows_.finish();
  links_.flush();
  timeline_.finish();
}

}  // namespace weft::formats::fxt
