// A parallel loop whose tasks add to a state: every worker has its own, merged at the end.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <utility>
#include <vector>

#include "core/query/work.h"

namespace weft::query {

// Runs body(state, i) for every i < tasks, until it is stopped; `State` has merge(const State&),
// which must not depend on order. Memory: one state per thread.
template <class State, class Body>
State reduce(const Work& work, size_t tasks, const State& empty, const Body& body) {
  const size_t workers = std::max<size_t>(1, std::min(tasks, work.pool->size()));
  std::vector<State> states(workers, empty);
  std::atomic<size_t> next = 0;
  work.pool->for_each(workers, [&](size_t worker) {
    for (size_t i = next++; i < tasks && !work.stop.stop_requested(); i = next++)
      body(states[worker], i);
  });
  for (size_t i = 1; i < workers; ++i) {
    const State other = std::move(states[i]);  // freed before the next is added
    states[0].merge(other);
  }
  return std::move(states[0]);
}

}  // namespace weft::query
