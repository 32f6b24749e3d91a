#include "core/base/thread_pool.h"

#include <algorithm>
#include <atomic>
#include <memory>
#include <system_error>

namespace weft {

ThreadPool::ThreadPool(size_t threads) {
  if (threads == 0) threads = std::max(1u, std::thread::hardware_concurrency());
  threads_.reserve(threads);
  try {
    for (size_t i = 0; i < threads; ++i) threads_.emplace_back([this] { work(); });
  } catch (const std::system_error&) {
    if (threads_.empty()) throw;  // fewer than asked for do the work too
  }
}

ThreadPool::~ThreadPool() {
  {
    std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_all();
  for (std::thread& t : threads_) t.join();
}

void ThreadPool::submit(std::function<void()> task) {
  {
    std::lock_guard lock(mutex_);
    queue_.push_back(std::move(task));
  }
  wake_.notify_one();
}

void ThreadPool::for_each(size_t count, const std::function<void(size_t)>& body) {
  // Helpers may start after the caller has taken every index, so what they touch is shared.
  struct Loop {
    std::function<void(size_t)> body;
    size_t count;
    std::atomic<size_t> next = 0;
    std::atomic<size_t> done = 0;
    std::mutex mutex;
    std::condition_variable finished;
    std::exception_ptr failure;  // the first; guarded by mutex

    void run() {
      for (size_t i = next++; i < count; i = next++) {
        try {
          body(i);
        } catch (...) {
          std::lock_guard lock(mutex);
          if (!failure) failure = std::current_exception();
        }
        if (++done == count) {
          std::lock_guard lock(mutex);
          finished.notify_all();
        }
      }
    }
  };
  if (count == 0) return;
  auto loop = std::make_shared<Loop>();
  loop->body = body;
  loop->count = count;
  const size_t helpers = std::min(count - 1, size());
  for (size_t i = 0; i < helpers; ++i) submit([loop] { loop->run(); });
  loop->run();
  std::unique_lock lock(loop->mutex);
  loop->finished.wait(lock, [&] { return loop->done == count; });
  if (loop->failure) std::rethrow_exception(loop->failure);
}

void ThreadPool::work() {
  for (;;) {
    std::function<void()> task;
    {
      std::unique_lock lock(mutex_);
      wake_.wait(lock, [this] { return stopping_ || !queue_.empty(); });
      if (queue_.empty()) return;
      task = std::move(queue_.front());
      queue_.pop_front();
    }
    task();
  }
}

}  // namespace weft
