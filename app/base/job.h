// Work that continues in the background after the user has asked for it, such as writing a large
// table. It runs on a thread of its own, reports its progress, and can be cancelled; the status bar
// shows it.
//
// Created and queried on the frame thread. The destructor cancels the work and waits for its end.
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
  // What the work reads and reports while it runs. Thread-safe.
  struct Progress {
    std::stop_token stop;
    std::atomic<uint64_t> done = 0;
    std::atomic<uint64_t> total = 0;  // 0: unknown
  };
  struct Outcome {
    std::string message;                   // shown to the user
    std::optional<std::string> clipboard;  // text to put on the clipboard
  };
  using Work = std::function<Result<Outcome>(Progress& progress)>;

  // `wake` is called on the job's thread once the work has ended; may be empty.
  // `memory_bytes`: how much of the program's memory limit the work may take.
  Job(std::string title, Work work, std::function<void()> wake, uint64_t memory_bytes = 0);
  ~Job() = default;
  Job(const Job&) = delete;
  Job& operator=(const Job&) = delete;

  const std::string& title() const { return title_; }
  uint64_t memory_bytes() const { return memory_bytes_; }
  double share() const;  // the part of the work done so far, 0 … 1
  void cancel() { thread_.request_stop(); }
  bool is_done() const { return is_done_.load(std::memory_order_acquire); }
  // Only once is_done().
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
