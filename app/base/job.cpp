#include "app/base/job.h"

#include <algorithm>
#include <utility>

namespace weft::app {

Job::Job(std::string title, Work work, std::function<void()> wake, uint64_t memory_bytes)
    : title_(std::move(title)),
      memory_bytes_(memory_bytes),
      thread_([this, work = std::move(work), wake = std::move(wake)](const std::stop_token& stop) {
        progress_.stop = stop;
        outcome_.emplace(work(progress_));
        is_done_.store(true, std::memory_order_release);
        if (wake) wake();
      }) {}

double Job::share() const {
  const auto done = static_cast<double>(progress_.done.load(std::memory_order_relaxed));
  const auto total = static_cast<double>(progress_.total.load(std::memory_order_relaxed));
  return total > 0 ? std::min(1.0, done / total) : 0;
}

}  // namespace weft::app
