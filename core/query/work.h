// The threads for a long query, and a token to stop it.
#pragma once

#include <stop_token>
#include <utility>

#include "core/base/thread_pool.h"

namespace weft::query {

struct Work {
  // Converts implicitly from a pool; without a token it is never stopped.
  Work(ThreadPool& threads, std::stop_token token = {})  // NOLINT(google-explicit-constructor)
      : pool(&threads), stop(std::move(token)) {}

  ThreadPool* pool;
  std::stop_token stop;  // once requested, results are partial
};

}  // namespace weft::query
