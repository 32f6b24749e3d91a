// Who ran on a CPU while a thread waited for it: of a state "runnable" of those that a kernel's
// scheduler tells (group "scheduler"), whatever recorded it. What runs on a CPU are the states of
// group "task" on its lane; which CPU it is, the parameter "cpu" of the thread's state "running"
// says: of the next one, for that is the CPU that it waited for in the end, else, where the trace
// ends before, of the one that it was taken from.
#pragma once

#include <optional>
#include <vector>

#include "core/query/element.h"

namespace weft::query {

struct RanInstead {
  struct Thread {
    Element first;  // what it ran first of the wait
    Duration time;  // of the wait
    uint64_t runs = 0;
  };

  static constexpr uint64_t kMostRuns = 1'000'000;

  LaneId cpu;
  bool is_next = true;          // the thread ran there next; false: before
  std::vector<Thread> threads;  // the longest first
  Duration idle;                // of the wait, in which the trace tells of no thread there
  bool is_complete = true;      // false: of the first kMostRuns alone
};

// None where the state is of another kind, or no lane of its CPU is known. A lane has a CPU's
// number on each of several machines: it is the one that the thread shares most parents with.
// O(rows + what ran meanwhile); work for workers.
std::optional<RanInstead> ran_instead(const Elements& elements, const Element& state);

}  // namespace weft::query
