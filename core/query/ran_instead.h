// Finds which threads ran on a CPU while another waited for it, i.e. during a state "runnable" of
// group "scheduler" in a trace of a kernel's scheduler. Threads running on a CPU are states of
// group "task" on its lane. The CPU is the parameter "cpu" of the thread's next state "running", on
// which it ran in the end, or, if the trace ends before that, of the previous one.
#pragma once

#include <optional>
#include <vector>

#include "core/query/element.h"

namespace weft::query {

struct RanInstead {
  struct Thread {
    Element first;  // its first state during the wait
    Duration time;  // time it ran during the wait
    uint64_t runs = 0;
    LaneId lane = LaneId::none();  // its own, where its number tells which that is
  };

  static constexpr uint64_t kMostRuns = 1'000'000;

  LaneId cpu;
  bool is_next = true;          // the CPU is from the next "running"; false: from the previous
  std::vector<Thread> threads;  // longest first
  Duration idle;                // part of the wait in which no thread is recorded there
  bool is_complete = true;      // false: only the first kMostRuns were counted
};

// Returns nullopt if the state is of another kind or no lane of its CPU is known. If several
// machines have a CPU of that number, the lane that shares most ancestors with the thread is taken.
// O(rows + states meanwhile); call from workers.
std::optional<RanInstead> ran_instead(const Elements& elements, const Element& state);

}  // namespace weft::query
