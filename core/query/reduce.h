// A parallel reduction: each worker has its own state; the states are merged at the end.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <mutex>
#include <optional>
#include <utility>

#include "core/query/work.h"

namespace weft::query {

// Runs body(state, i) for every i < tasks, until stopped. `State` has merge(const State&), which
// must be commutative. There is one state per thread; if states are large, they may also have
// is_full(), upon which a state is merged early, and restart(const State& whole), which then
// empties it.
template <class State, class Body>
State reduce(const Work& work, size_t tasks, const State& empty, const Body& body) {
  const size_t workers = std::max<size_t>(1, std::min(tasks, work.pool->size()));
  std::atomic<size_t> next = 0;
  std::mutex mutex;
  std::optional<State> whole;  // merged so far
  work.pool->for_each(workers, [&](size_t) {
    State own = empty;
    for (size_t i = next++; i < tasks && !work.stop.stop_requested(); i = next++) {
      body(own, i);
      if constexpr (requires { own.is_full(); }) {
        if (!own.is_full()) continue;
        const std::lock_guard lock(mutex);
        if (!whole) whole.emplace(empty);
        whole->merge(own);
        own.restart(*whole);
      }
    }
    const std::lock_guard lock(mutex);
    if (whole) {
      whole->merge(own);
    } else {
      whole.emplace(std::move(own));
    }
  });
  return std::move(*whole);
}

}  // namespace weft::query
