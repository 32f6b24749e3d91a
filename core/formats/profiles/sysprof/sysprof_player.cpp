#include "core/formats/profiles/sysprof/sysprof_player.h"

#include <fmt/core.h>

#include <algorithm>
#include <bit>
#include <iterator>

#include "core/base/text.h"
#include "core/formats/base/args_text.h"
#include "core/formats/profiles/sysprof/dbus_message.h"

namespace weft::formats::sysprof {
namespace {

using trace::Category;

constexpr uint64_t kFirstContext = 0xffff'ffff'ffff'f000;  // "what follows is the kernel's", …
constexpr size_t kCategoryBytes = 32, kNameBytes = 32, kDescriptionBytes = 52;
constexpr size_t kGroupBytes = 24, kMarkNameBytes = 40, kIdBytes = 40, kDomainBytes = 32;

}  // namespace

void Player::add(const Frame& frame) {
  last_ = std::max(last_, frame.time);
  switch (frame.kind) {
    case kSample:
      return add_sample(frame);
    case kTrace:
      return add_call(frame);
    case kCounterDefinition:
      return define_counters(frame);
    case kCounterSet:
      return add_values(frame);
    case kMark:
      return add_mark(frame);
    case kMetadata:
      return add_metadata(frame);
    case kLog:
      return add_log(frame);
    case kAllocation:
      return add_allocation(frame);
    case kDBusMessage:
      return add_dbus_message(frame);
    case kFork:
      return note(frame, "fork");
    case kExit:
      return note(frame, "exit");
    case kTimestamp:
    case kMap:
    case kProcess:
    case kJitMap:
    case kFileChunk:
    case kOverlay:
      return;  // names, or nothing that happens
    default:
      sink_.loss("frame of an unknown kind", frame.offset);
  }
}

void Player::finish() {
  threads_.finish();
  calls_.finish(last_);
  if (names_.too_many() > 0)
    sink_.loss("names beyond the memory", trace::LossPlace::nowhere(), names_.too_many());
}

// ---- Parts

LaneId Player::process(const Frame& frame) {
  return threads_.process(frame.process, names_.command(frame.process));
}

perf::Thread& Player::thread(const Frame& frame, int32_t thread) {
  const int32_t tid = thread > 0 ? thread : frame.process;  // old captures have none
  return threads_.thread(frame.process, tid, names_.command(frame.process));
}

std::vector<EventTypeId> Player::take_stack(const Frame& frame, Body& body, size_t count) {
  std::vector<EventTypeId> stack;
  for (size_t i = 0; i < count; ++i) {
    const auto address = body.number<uint64_t>();
    if (body.has_failed() || address >= kFirstContext) continue;
    const Place place = names_.place(frame.process, address);
    stack.push_back(threads_.frame(place.function, place.object));
  }
  std::ranges::reverse(stack);
  return stack;
}

void Player::give(const Frame& frame, LaneId lane, std::string_view group, std::string_view type,
                  std::string_view params) {
  sink_.give(trace::PunctualEvent{
      .time = frame.time,
      .params = params.empty() ? ParamsId::none() : sink_.params(params),
      .lane = lane,
      .type = sink_.type(Category::kPunctual, valid_utf8(type), valid_utf8(group))});
}

void Player::note(const Frame& frame, std::string_view what) {
  ArgsText params;
  if (frame.kind == kFork) {
    Body body = body_of(frame);
    params.add("child", body.number<int32_t>());
    if (body.has_failed()) return lose(frame);
  }
  give(frame, process(frame), "process", what, params.take());
}

// ---- Stacks

void Player::add_sample(const Frame& frame) {
  Body body = body_of(frame);
  const auto count = body.number<uint16_t>();
  body.number<uint16_t>();
  const auto tid = body.number<int32_t>();
  const auto stack = take_stack(frame, body, count);
  if (body.has_failed()) return lose(frame);
  if (!stack.empty()) thread(frame, tid).samples->add(frame.time, stack);
}

// A function that was entered or left, which is the innermost.
void Player::add_call(const Frame& frame) {
  Body body = body_of(frame);
  const auto count = body.number<uint16_t>();
  const bool is_begin = body.first_bits(body.number<uint16_t>(), 1) != 0;
  const auto tid = body.number<int32_t>();
  const auto stack = take_stack(frame, body, count);
  if (body.has_failed()) return lose(frame);
  if (stack.empty()) return;
  const LaneId lane = thread(frame, tid).lane;
  if (is_begin) {
    calls_.begin(lane, stack.back(), frame.time, ParamsId::none(), frame.offset);
  } else {
    calls_.end_of(lane, stack.back(), frame.time, frame.offset);
  }
}

void Player::add_allocation(const Frame& frame) {
  Body body = body_of(frame);
  const auto address = body.number<uint64_t>();
  const auto size = body.number<int64_t>();
  const auto tid = body.number<int32_t>();
  const auto count = body.number<uint16_t>();
  body.number<uint16_t>();
  if (body.has_failed()) return lose(frame);
  const auto [it, is_new] = heaps_.try_emplace(frame.process);
  Heap& heap = it->second;
  if (is_new) {
    heap.lane = sink_.add_lane(
        {.name = "heap", .parent = process(frame), .kind = trace::LaneKind::kCounter});
    heap.type = sink_.type(Category::kVariable, "allocated bytes");
  }
  ArgsText params;
  params.add_pointer("address", address);
  if (const auto old = heap.sizes.find(address); old != heap.sizes.end()) {
    heap.bytes -= old->second;
    if (size <= 0) params.add("size", old->second);
    heap.sizes.erase(old);
    --allocations_;
  }
  if (size > 0) {
    params.add("size", size);
    if (allocations_ >= most_allocations_) {
      sink_.loss("allocation beyond the memory", frame.offset);
    } else {
      ++allocations_;
      heap.sizes[address] = size;
      heap.bytes = saturating_add(heap.bytes, size);
    }
    if (count > 0) {
      params.name("stack");
      params.begin('[');
      for (size_t i = 0; i < count; ++i) {
        const auto frame_address = body.number<uint64_t>();
        if (body.has_failed() || frame_address >= kFirstContext) continue;
        const Place place = names_.place(frame.process, frame_address);
        if (place.function.empty()) {
          params.pointer(frame_address);
        } else {
          params.text(place.function);
        }
      }
      params.end(']');
    }
  }
  give(frame, thread(frame, tid).lane, "heap", size > 0 ? "allocation" : "free", params.take());
  sink_.give(trace::VariableSample{.time = frame.time,
                                   .value = static_cast<double>(heap.bytes),
                                   .lane = heap.lane,
                                   .type = heap.type});
}

// ---- Counters

void Player::define_counters(const Frame& frame) {
  Body body = body_of(frame);
  const auto count = body.number<uint16_t>();
  body.number<uint16_t>();
  body.number<uint32_t>();
  for (uint16_t i = 0; i < count; ++i) {
    const std::string category = valid_utf8(body.text(kCategoryBytes));
    const std::string name = valid_utf8(body.text(kNameBytes));
    body.text(kDescriptionBytes);
    const auto word = body.number<uint32_t>();
    body.number<int64_t>();  // what it begins with
    if (body.has_failed()) return lose(frame);
    constexpr uint32_t kIdBits = 24;
    const uint32_t id = is_big_endian_ ? word >> (32 - kIdBits) : word & ((1U << kIdBits) - 1);
    const uint32_t kind = is_big_endian_ ? word & 0xff : word >> kIdBits;
    const auto [lane, is_new] = counter_lanes_.try_emplace(category, LaneId::none());
    if (is_new)
      lane->second = sink_.add_lane(
          {.name = category.empty() ? "counters" : category, .kind = trace::LaneKind::kCounter});
    counters_.insert_or_assign(
        id, Counter{lane->second, sink_.type(Category::kVariable, name, category), kind == 1});
  }
}

// In groups of eight: their numbers, their values; 0 is none.
void Player::add_values(const Frame& frame) {
  constexpr size_t kOfGroup = 8;
  Body body = body_of(frame);
  const auto groups = body.number<uint16_t>();
  body.number<uint16_t>();
  body.number<uint32_t>();
  for (uint16_t group = 0; group < groups; ++group) {
    uint32_t ids[kOfGroup] = {};
    for (uint32_t& id : ids) id = body.number<uint32_t>();
    for (const uint32_t id : ids) {
      const auto bits = body.number<uint64_t>();
      if (body.has_failed()) return lose(frame);
      if (id == 0) continue;
      const auto it = counters_.find(id);
      if (it == counters_.end()) {
        sink_.loss("value of a counter that is not described", frame.offset);
        continue;
      }
      const double value = it->second.is_real ? std::bit_cast<double>(bits)
                                              : static_cast<double>(static_cast<int64_t>(bits));
      sink_.give(trace::VariableSample{
          .time = frame.time, .value = value, .lane = it->second.lane, .type = it->second.type});
    }
  }
}

// ---- What programs say

void Player::add_mark(const Frame& frame) {
  Body body = body_of(frame);
  const auto duration = std::max<int64_t>(body.number<int64_t>(), 0);
  const std::string_view group = body.text(kGroupBytes), name = body.text(kMarkNameBytes);
  const std::string_view message = body.rest_text();
  if (body.has_failed()) return lose(frame);
  ArgsText params;
  if (!message.empty()) params.add("message", message);
  const Time end{saturating_add(frame.time.ticks, duration)};
  last_ = std::max(last_, end);
  const LaneId lane = mark_lane(frame, group, end);
  if (duration == 0) return give(frame, lane, group, name, params.take());
  const std::string text = params.take();
  sink_.give(
      trace::StateEvent{.begin = frame.time,
                        .duration = end - frame.time,
                        .params = text.empty() ? ParamsId::none() : sink_.params(text),
                        .lane = lane,
                        .type = sink_.type(Category::kState, valid_utf8(name), valid_utf8(group))});
}

// The first lane of the group on which it lies within what lasts, or alone.
LaneId Player::mark_lane(const Frame& frame, std::string_view group, Time end) {
  constexpr size_t kMostLanes = 64;
  const std::string name = group.empty() ? "marks" : valid_utf8(group);
  std::vector<MarkLane>& lanes = marks_[{frame.process, name}];
  const auto fits = [&](MarkLane& lane) {
    while (!lane.ends.empty() && lane.ends.back() <= frame.time) lane.ends.pop_back();
    return lane.ends.empty() || end <= lane.ends.back();
  };
  auto it = std::ranges::find_if(lanes, fits);
  if (it == lanes.end() && lanes.size() < kMostLanes) {
    const std::string lane_name =
        lanes.empty() ? name : fmt::format("{} ({})", name, lanes.size() + 1);
    lanes.push_back(
        {sink_.add_lane(
             {.name = lane_name, .parent = process(frame), .kind = trace::LaneKind::kGroup}),
         {}});
    it = lanes.end() - 1;
  }
  if (it == lanes.end()) return lanes.back().lane;
  if (end > frame.time) it->ends.push_back(end);
  return it->lane;
}

void Player::add_metadata(const Frame& frame) {
  Body body = body_of(frame);
  const std::string_view id = body.text(kIdBytes), value = body.rest_text();
  if (body.has_failed() || id.empty()) return lose(frame);
  sink_.set_metadata(valid_utf8(id), valid_utf8(value));
}

void Player::add_log(const Frame& frame) {
  Body body = body_of(frame);
  const auto severity = body.number<uint16_t>();
  body.number<uint16_t>();
  body.number<uint32_t>();
  const std::string_view domain = body.text(kDomainBytes), message = body.rest_text();
  if (body.has_failed()) return lose(frame);
  // GLib's levels, a bit each.
  constexpr std::string_view kLevels[] = {"recursion", "fatal",   "error", "critical",
                                          "warning",   "message", "info",  "debug"};
  const auto level = static_cast<size_t>(std::countr_zero(static_cast<uint16_t>(severity & 0xfc)));
  ArgsText params;
  if (!domain.empty()) params.add("domain", domain);
  params.add("message", message);
  give(frame, process(frame), "log", level < std::size(kLevels) ? kLevels[level] : "log",
       params.take());
}

void Player::add_dbus_message(const Frame& frame) {
  Body body = body_of(frame);
  const uint16_t bus = body.first_bits(body.number<uint16_t>(), 2);
  const auto size = body.number<uint16_t>();
  const auto message = dbus_message(body.bytes(size));
  if (body.has_failed()) return lose(frame);
  constexpr std::string_view kBuses[] = {"system", "session", "accessibility", "other"};
  if (dbus_lane_.is_none()) dbus_lane_ = sink_.add_lane({.name = "D-Bus"});
  ArgsText params;
  params.add("bus", kBuses[bus % std::size(kBuses)]);
  if (!message) return give(frame, dbus_lane_, "D-Bus", "message", params.take());
  params.add("kind", message->kind);
  params.add("serial", message->serial);
  if (message->reply_to != 0) params.add("reply_to", message->reply_to);
  for (const auto& [name, value] : {std::pair{"path", message->path},
                                    {"interface", message->interface},
                                    {"error", message->error},
                                    {"sender", message->sender},
                                    {"destination", message->destination}}) {
    if (!value.empty()) params.add(name, value);
  }
  give(frame, dbus_lane_, "D-Bus", message->member.empty() ? message->kind : message->member,
       params.take());
}

}  // namespace weft::formats::sysprof
