// Work that the user has asked for and goes on without: writing a large table. It runs on a thread
// of its own, tells how far it is, and can be cancelled; the status bar shows it.
//
// Made and asked on the frame thread. Its end is waited for by the destructor, which cancels it.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>

#include "core/base/result.h"

namespace weft::app {

class Job {
 public:
  // What the work tells while it runs.
  struct Progress {
    std::stop_token stop;
    std::atomic<uint64_t> done = 0;
    std::atomic<uint64_t> total = 0;  // 0: not known
  };
  struct Outcome {
    std::string message;                   // for the user
    std::optional<std::string> clipboard;  // to be put there
  };
  using Work = std::function<Result<Outcome>(Progress& progress)>;

  // `wake`, from the job's thread: it has ended. May be empty.
  // `memory_bytes`: what it may take, of the program's limit.
  Job(std::string title, Work work, std::function<void()> wake, uint64_t memory_bytes = 0);
  ~Job() = default;
  Job(const Job&) = delete;
  Job& operator=(const Job&) = delete;

  const std::string& title() const { return title_; }
  uint64_t memory_bytes() const { return memory_bytes_; }
  double share() const;  // of the work that is done, 0 … 1
  void cancel() { thread_.request_stop(); }
  bool is_done() const { return is_done_.load(std::memory_order_acquire); }
  // Once it is done.
  Result<Outcome>& outcome() { return *outcome_; }

 private:
  std::string title_;
  uint64_t memory_bytes_;
  Progress progress_;
  std::optional<Result<Outcome>> outcome_;
  std::atomic<bool> is_done_ = false;
  std::jthread thread_;  // last: it uses the others
};

}  // namespace weft::app
