// What kinds of stacks a trace holds, told apart by the lanes that states lie on. Their lengths do
// not add up to anything: a thread's samples, its markers and its turns on a CPU are of one time.
#pragma once

#include <cstdint>
#include <vector>

#include "core/aggregate/filter.h"
#include "core/store/trace.h"

namespace weft::query {

// In the order in which one is taken where nobody says which.
enum class StackKind : uint8_t {
  kStacks,   // what nests on a lane of its own below its thread: samples, recorded calls
  kThreads,  // on lanes of threads
  kOthers,   // on those of processes, groups, …; schedules and system calls that lie below threads
  kAsync,
  kCpus,
};

// Those of which there are states, in order. O(lanes + rows).
std::vector<StackKind> stack_kinds(const store::Trace& trace);

// What lies on lanes of one kind. O(lanes + rows).
aggregate::FormulaPtr on_lanes_of(StackKind kind, const store::Trace& trace);

}  // namespace weft::query
