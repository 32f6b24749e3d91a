// Work that is done once: ahead by a worker of the pool, or by the thread that needs it first. So
// whoever waits for it waits only for work that has begun, never for a place in a queue.
#pragma once

#include <atomic>
#include <cstdint>

namespace weft {

class Claim {
 public:
  // There is work to do; nobody is at it.
  void open() { state_ = State::kOpen; }

  // Does the work, unless somebody else did or does.
  template <class Work>
  void run(const Work& work) {
    if (!take()) return;
    work();
    close();
  }
  // The same, and waits for who is at it.
  template <class Work>
  void run_or_wait(const Work& work) {
    run(work);
    state_.wait(State::kRunning);
  }
  // Nobody begins any more, and nobody is at it.
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
