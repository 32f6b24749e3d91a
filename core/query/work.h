// Who does the work of a long question, and whether anybody still waits for the answer.
#pragma once

#include <stop_token>
#include <utility>

#include "core/base/thread_pool.h"

namespace weft::query {

struct Work {
  // By itself: nobody gives up.
  Work(ThreadPool& threads, std::stop_token token = {})  // NOLINT(google-explicit-constructor)
      : pool(&threads), stop(std::move(token)) {}

  ThreadPool* pool;
  std::stop_token stop;  // once it is requested, the answer is of a part only
};

}  // namespace weft::query
