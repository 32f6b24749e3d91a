// How much memory the program used at most while this object lives.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <thread>

namespace weft::cli {

// The kernel's own high-water mark of resident memory, mapped files included.
uint64_t peak_resident_bytes();

// Samples what is private to the program (anonymous and shared memory, without mapped files), of
// which the kernel keeps no mark: every 5 ms, so a peak shorter than that may be missed.
class PrivateMemoryPeak {
 public:
  PrivateMemoryPeak();
  ~PrivateMemoryPeak();
  PrivateMemoryPeak(const PrivateMemoryPeak&) = delete;
  PrivateMemoryPeak& operator=(const PrivateMemoryPeak&) = delete;

  uint64_t bytes() const { return peak_bytes_; }

 private:
  void sample_until_stopped();

  std::atomic<uint64_t> peak_bytes_ = 0;
  std::mutex mutex_;
  std::condition_variable stop_;
  bool is_stopping_ = false;
  std::thread thread_;
};

}  // namespace weft::cli
