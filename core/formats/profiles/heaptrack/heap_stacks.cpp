#include "core/formats/profiles/heaptrack/heap_stacks.h"

#include <algorithm>
#include <memory>
#include <numeric>
#include <string_view>
#include <utility>
#include <vector>

#include "core/formats/stacks/stack_timeline.h"
#include "core/formats/stacks/weighted_stacks.h"

namespace weft::formats::heaptrack {

void HeapStacks::add_address(std::span<const EventTypeId> frames) {
  frames_.insert(frames_.end(), frames.rbegin(), frames.rend());
  ends_.push_back(static_cast<uint32_t>(frames_.size()));
}

bool HeapStacks::add_stack(uint64_t address, uint64_t caller) {
  const bool has_address = address < ends_.size(), has_caller = caller < stacks_.size();
  stacks_.push_back({.address = has_address ? static_cast<uint32_t>(address) : 0,
                     .caller = has_caller ? static_cast<uint32_t>(caller) : 0});
  return has_address && has_caller;
}

void HeapStacks::allocate(const Allocation& allocation) {
  Stack& stack = stacks_[allocation.stack];
  settle(stack);
  stack.values[kAllocated] = saturating_add(stack.values[kAllocated], allocation.bytes);
  stack.values[kLeft] = saturating_add(stack.values[kLeft], allocation.bytes);
  ++stack.values[kAllocations];
  totals_.heap = saturating_add(totals_.heap, allocation.bytes);
  ++totals_.allocations;
  most_since_ = std::max(most_since_, totals_.heap);
  if (totals_.heap <= most_) return;
  most_ = totals_.heap;
  ++peak_;
}

void HeapStacks::free(const Allocation& allocation, bool at_once) {
  Stack& stack = stacks_[allocation.stack];
  settle(stack);
  stack.values[kLeft] = saturating_sub(stack.values[kLeft], allocation.bytes);
  totals_.heap = saturating_sub(totals_.heap, allocation.bytes);
  stack.values[kAtOnce] += at_once ? 1 : 0;
  totals_.at_once += at_once ? 1 : 0;
}

int64_t HeapStacks::take_most() { return std::exchange(most_since_, totals_.heap); }

// The callees of each stack, those of the same name next to each other; `begins` says where those
// of each begin.
LargeVector<uint32_t> HeapStacks::callees_in_order(LargeVector<uint32_t>& begins) const {
  begins.assign(stacks_.size() + 1, 0);
  for (size_t i = 1; i < stacks_.size(); ++i) ++begins[stacks_[i].caller + 1];
  std::partial_sum(begins.begin(), begins.end(), begins.begin());
  LargeVector<uint32_t> next(begins.begin(), begins.end() - 1), callees(stacks_.size() - 1);
  for (uint32_t i = 1; i < stacks_.size(); ++i) callees[next[stacks_[i].caller]++] = i;
  const auto name_of = [this](uint32_t stack) {
    return frames_of(stacks_[stack].address).front().value();
  };
  for (size_t i = 0; i < stacks_.size(); ++i) {
    const auto of = std::span(callees).subspan(begins[i], begins[i + 1] - begins[i]);
    std::ranges::stable_sort(of, {}, name_of);
  }
  return callees;
}

void HeapStacks::show(trace::EventSink& sink, LaneId below) {
  constexpr std::string_view kNames[kValues] = {
      "allocated (1 ns = 1 byte)", "allocated (1 ns = 1 object)", "freed at once (1 ns = 1 object)",
      "at the peak (1 ns = 1 byte)", "not freed (1 ns = 1 byte)"};
  stacks::StackTimeline timeline(sink);
  std::unique_ptr<stacks::WeightedStacks> lanes[kValues];
  for (Stack& stack : stacks_) settle(stack);
  for (size_t i = 0; i < kValues; ++i) {
    if (std::ranges::none_of(stacks_, [&](const Stack& stack) { return stack.values[i] > 0; }))
      continue;
    const LaneId lane = sink.add_lane(
        {.name = std::string(kNames[i]), .parent = below, .kind = trace::LaneKind::kThread});
    lanes[i] = std::make_unique<stacks::WeightedStacks>(timeline, lane);
  }
  LargeVector<uint32_t> begins;
  const LargeVector<uint32_t> callees = callees_in_order(begins);
  // Depth first; what is open are the callees that are still to come.
  struct Open {
    uint32_t at, end;
    size_t frames;
  };
  constexpr size_t kMostDepth = 4096;
  std::vector<Open> open = {{begins[0], begins[1], 0}};
  std::vector<EventTypeId> frames;
  while (!open.empty()) {
    Open& last = open.back();
    frames.resize(last.frames, EventTypeId::none());
    if (last.at == last.end) {
      open.pop_back();
      continue;
    }
    const uint32_t number = callees[last.at++];
    const Stack& stack = stacks_[number];
    const auto added = frames_of(stack.address);
    const auto shown = added.first(std::min(added.size(), kMostDepth - frames.size()));
    frames.insert(frames.end(), shown.begin(), shown.end());
    for (size_t i = 0; i < kValues; ++i) {
      if (lanes[i]) lanes[i]->add(frames, stack.values[i]);
    }
    open.push_back({begins[number], begins[number + 1], frames.size()});
  }
  timeline.finish();
}

}  // namespace weft::formats::heaptrack
