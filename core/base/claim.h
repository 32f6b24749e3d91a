// Work that is done exactly once: ahead of time by a pool worker, or by the first thread that needs
// the result. A waiting thread therefore only ever waits for work that is already running, never
// for a place in a queue.
#pragma once

#include <atomic>
#include <cstdint>

namespace weft {

class Claim {
 public:
  // Marks the work as to be done; nobody may be running it.
  void open() { state_ = State::kOpen; }

  // Runs `work` unless it has been done or another thread is running it.
  template <class Work>
  void run(const Work& work) {
    if (!take()) return;
    work();
    close();
  }
  // As run(), but if another thread is running the work, waits for that thread to finish.
  template <class Work>
  void run_or_wait(const Work& work) {
    run(work);
    state_.wait(State::kRunning);
  }
  // Cancels work that has not begun and waits for work that is running.
  void drop() {
    run_or_wait([] {});
  }

 private:
  enum class State : uint8_t { kOpen, kRunning, kDone };
  bool take() {
    State open = State::kOpen;
    return state_.compare_exchange_strong(open, State::kRunning);
  }
  void close() {
    state_ = State::kDone;
    state_.notify_all();
  }

  std::atomic<State> state_ = State::kDone;
};

}  // namespace weft
