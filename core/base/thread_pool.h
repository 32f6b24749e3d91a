// A small pool of worker threads with one FIFO queue.
//
// A task must not block on a task queued after it. The destructor runs what is queued, then joins.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace weft {

class ThreadPool {
 public:
  // Starts `threads` workers; 0 means one per core.
  explicit ThreadPool(size_t threads = 0);
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  size_t size() const { return threads_.size(); }
  void submit(std::function<void()> task);

  // Runs body(0) … body(count - 1) on the pool and the calling thread; returns when all are done.
  // Indices are handed out in order. May be called from one of the pool's own tasks.
  void for_each(size_t count, const std::function<void(size_t)>& body);

 private:
  void work();

  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<std::function<void()>> queue_;
  bool stopping_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace weft
