// Heap use by stack: allocated in total, at the peak, and leaked.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/base/large_vector.h"
#include "core/trace/event_sink.h"

namespace weft::formats::heaptrack {

struct Allocation {
  int64_t bytes = 0;
  uint32_t stack = 0;
};

class HeapStacks {
 public:
  explicit HeapStacks(EventTypeId unknown) : frames_{unknown} {}

  // The next address: its frames, from the innermost to the outermost of those inlined into it. The
  // first is number 1; 0 is an unknown one.
  void add_address(std::span<const EventTypeId> frames);
  // The next stack; the first is number 1, a caller of 0 is none. False: the address or the caller
  // is not there, and it is without it.
  bool add_stack(uint64_t address, uint64_t caller);
  bool has_stack(uint64_t stack) const { return stack > 0 && stack < stacks_.size(); }
  size_t addresses() const { return ends_.size() - 1; }

  void allocate(const Allocation& allocation);
  // `at_once`: it was the last that was allocated.
  void free(const Allocation& allocation, bool at_once);

  struct Totals {
    int64_t heap = 0, allocations = 0, at_once = 0;
  };
  const Totals& totals() const { return totals_; }
  // The most that the heap was since this was asked last.
  int64_t take_most();

  // Below the lane, a lane for each of the numbers: its stacks side by side, as long in nanoseconds
  // as what they had.
  void show(trace::EventSink& sink, LaneId below);

 private:
  enum Value : uint8_t { kAllocated, kAllocations, kAtOnce, kAtPeak, kLeft, kValues };
  struct Stack {
    uint32_t address = 0, caller = 0;
    uint32_t peak = 0;  // the last one whose value is in values[kAtPeak]
    int64_t values[kValues] = {};
  };
  // Before what a stack has changes: what it had at the last peak.
  void settle(Stack& stack) const {
    if (stack.peak == peak_) return;
    stack.values[kAtPeak] = stack.values[kLeft];
    stack.peak = peak_;
  }
  std::span<const EventTypeId> frames_of(uint32_t address) const {
    const uint32_t begin = address == 0 ? 0 : ends_[address - 1];
    return std::span(frames_).subspan(begin, ends_[address] - begin);
  }
  LargeVector<uint32_t> callees_in_order(LargeVector<uint32_t>& begins) const;

  LargeVector<EventTypeId> frames_;        // of all addresses, each the outermost first
  LargeVector<uint32_t> ends_ = {1};       // in frames_, by address
  LargeVector<Stack> stacks_ = {Stack()};  // the first is none
  Totals totals_;
  int64_t most_ = 0, most_since_ = 0;
  uint32_t peak_ = 0;  // counts them
};

}  // namespace weft::formats::heaptrack
