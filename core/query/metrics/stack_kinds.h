// The kinds of stacks in a trace, distinguished by the lanes of their states. Their lengths must
// not be added up: a thread's samples, its markers and its turns on a CPU cover the same time.
#pragma once

#include <cstdint>
#include <vector>

#include "core/aggregate/filter.h"
#include "core/store/trace.h"

namespace weft::query {

// In order of preference, if none is chosen.
enum class StackKind : uint8_t {
  kStacks,   // nested states on a lane of their own below their thread: samples, recorded calls
  kThreads,  // states on lanes of threads
  kOthers,   // on lanes of processes, groups, …; schedules and system calls below threads
  kAsync,
  kCpus,
};

// Returns the kinds that have states, in order. O(lanes + rows).
std::vector<StackKind> stack_kinds(const store::Trace& trace);

// Makes a formula that passes what lies on lanes of one kind. O(lanes + rows).
aggregate::FormulaPtr on_lanes_of(StackKind kind, const store::Trace& trace);

}  // namespace weft::query
