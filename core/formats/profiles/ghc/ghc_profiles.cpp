#include "core/formats/profiles/ghc/ghc_profiles.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <ranges>

#include "core/base/text.h"

namespace weft::formats::ghc {
namespace {

using trace::Category;

// Its depth, then the cost centres from the innermost; none if it is cut.
std::optional<std::vector<uint32_t>> stack_of(std::string_view payload) {
  BinaryFields fields(payload);
  std::vector<uint32_t> stack(fields.big<uint8_t>());
  for (uint32_t& each : stack) each = fields.big<uint32_t>();
  return fields.has_failed() ? std::nullopt : std::optional(stack);
}

std::string_view take_text(std::string_view& payload) {
  const std::string_view text = until_zero(payload);
  payload.remove_prefix(std::min(text.size() + 1, payload.size()));
  return text;
}

}  // namespace

void Profiles::learn(const Event& event) {
  std::string_view payload = event.payload;
  if (event.type == kCostCentre) learn_cost_centre(payload);
  if (event.type == kTickyCounter) learn_ticky_counter(payload);
  if (event.type == kTimeProfileBegin) {
    constexpr uint64_t kMost = 60'000'000'000;  // a minute
    interval_.ticks =
        static_cast<int64_t>(std::min(take_big<uint64_t>(payload).value_or(0), kMost));
  }
}

void Profiles::learn_cost_centre(std::string_view payload) {
  const auto number = take_big<uint32_t>(payload);
  if (!number) return;
  CostCentre& centre = cost_centres_[*number];
  centre.label = valid_utf8(take_text(payload));
  centre.module = valid_utf8(take_text(payload));
  centre.type = EventTypeId::none();
}

Profiles::CostCentre& Profiles::cost_centre(uint32_t number) {
  const auto known = cost_centres_.find(number);
  if (known != cost_centres_.end()) return known->second;
  return cost_centres_.emplace(number, CostCentre{fmt::format("cost centre {}", number), {}})
      .first->second;
}

EventTypeId Profiles::type_of(uint32_t number) {
  CostCentre& centre = cost_centre(number);
  if (centre.type.is_none())
    centre.type = sink_.type(Category::kState, centre.label, centre.module);
  return centre.type;
}

bool Profiles::play_time(LaneId lane, Time time, std::string_view payload) {
  if (!take_big<uint64_t>(payload)) return false;  // the number of the tick
  const auto stack = stack_of(payload);
  if (!stack) return false;
  auto found = time_lanes_.find(lane.value());
  if (found == time_lanes_.end()) {
    const LaneId below = sink_.add_lane({.name = "time profile", .parent = lane});
    found = time_lanes_.try_emplace(lane.value(), timeline_, below, interval_).first;
  }
  std::vector<EventTypeId> frames;
  for (const uint32_t each : *stack | std::views::reverse) frames.push_back(type_of(each));
  found->second.add(time, frames);
  return true;
}

bool Profiles::play(const Event& event) {
  std::string_view payload = event.payload;
  switch (event.type) {
    case kHeapSampleBegin:
      begin_heap_sample(std::nullopt);
      return true;
    case kBiographySampleBegin: {
      take_big<uint64_t>(payload);  // the number of the sample
      const auto time = take_big<uint64_t>(payload);
      if (!time || *time > static_cast<uint64_t>(event.time.ticks)) return false;
      begin_heap_sample(Time{static_cast<int64_t>(*time)});
      return true;
    }
    case kHeapSampleEnd:
      end_heap_sample(event.time);
      return true;
    case kHeapSample:
    case kHeapSampleOfStack:
      return play_heap_sample(event);
    case kTickySample:
      return play_ticky(event);
    default:
      return false;
  }
}

// A sample says of each part how much of the heap it has; those that it does not name have none.
void Profiles::begin_heap_sample(std::optional<Time> time) {
  heap_sample_time_ = time;
  for (auto& [name, part] : heap_parts_) part.was_sampled = false;
}

void Profiles::end_heap_sample(Time now) {
  for (auto& [name, part] : heap_parts_) {
    if (part.is_there && !part.was_sampled)
      variables_.add(group(heap_group_, "Heap profile"), name, "heap",
                     heap_sample_time_.value_or(now), 0);
    part.is_there = part.was_sampled;
  }
  heap_sample_time_.reset();
}

bool Profiles::play_heap_sample(const Event& event) {
  std::string_view payload = event.payload;
  const auto profile = take_big<uint8_t>(payload);
  const auto bytes = take_big<uint64_t>(payload);
  if (!profile || !bytes) return false;
  std::string name;
  if (event.type == kHeapSample) {
    name = valid_utf8(until_zero(payload));
  } else {
    const auto stack = stack_of(payload);
    if (!stack) return false;
    name = name_of(*stack);
  }
  HeapPart& part = heap_parts_[name];
  part.is_there = part.was_sampled = true;
  variables_.add(group(heap_group_, "Heap profile"), name, "heap",
                 heap_sample_time_.value_or(event.time), *bytes);
  return true;
}

// "Main.fib < Main.main < MAIN.MAIN"; one that reads as another does has its numbers behind.
const std::string& Profiles::name_of(const std::vector<uint32_t>& innermost_first) {
  const auto [known, is_new] = stack_names_.try_emplace(innermost_first);
  if (!is_new) return known->second;
  std::string name;
  for (const uint32_t each : innermost_first) {
    const CostCentre& centre = cost_centre(each);
    if (!name.empty()) name += " < ";
    if (!centre.module.empty()) name.append(centre.module).append(1, '.');
    name += centre.label;
  }
  if (name.empty()) name = "(no stack)";
  if (heap_parts_.contains(name)) name += fmt::format(" ({})", fmt::join(innermost_first, ","));
  known->second = name;
  return known->second;
}

void Profiles::learn_ticky_counter(std::string_view payload) {
  const auto number = take_big<uint64_t>(payload);
  if (!number || !take_big<uint16_t>(payload)) return;
  take_text(payload);  // what kinds its arguments are of
  const trace::Lane lane{.name = valid_utf8(take_text(payload)),
                         .parent = group(ticky_group_, "Ticky counters")};
  const auto known = ticky_counters_.find(*number);
  if (known != ticky_counters_.end()) return sink_.update_lane(known->second, lane);
  ticky_counters_.emplace(*number, sink_.add_lane(lane));
}

// The last sample may come before what it is of is named.
bool Profiles::play_ticky(const Event& event) {
  BinaryFields fields(event.payload);
  const auto number = fields.big<uint64_t>(), entries = fields.big<uint64_t>(),
             allocations = fields.big<uint64_t>(), allocated = fields.big<uint64_t>();
  if (fields.has_failed()) return false;
  auto known = ticky_counters_.find(number);
  if (known == ticky_counters_.end())
    known = ticky_counters_
                .emplace(number, sink_.add_lane({.name = fmt::format("counter {:#x}", number),
                                                 .parent = group(ticky_group_, "Ticky counters")}))
                .first;
  variables_.add(known->second, "entries", "ticky", event.time, entries);
  variables_.add(known->second, "allocations", "ticky", event.time, allocations);
  variables_.add(known->second, "allocated", "ticky", event.time, allocated);
  return true;
}

LaneId Profiles::group(LaneId& lane, std::string_view name) {
  if (lane.is_none()) lane = sink_.add_lane({.name = std::string(name)});
  return lane;
}

void Profiles::finish() {
  for (auto& [above, samples] : time_lanes_) samples.finish();
  timeline_.finish();
}

}  // namespace weft::formats::ghc
