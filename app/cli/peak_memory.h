// The most memory that the program has used.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <thread>

namespace weft::cli {

// The kernel's high-water mark of resident memory, including mapped files.
uint64_t peak_resident_bytes();

// The peak of the program's private memory (anonymous and shared memory, without mapped files)
// while this object exists. The kernel keeps no mark of it, so a thread samples it every 5 ms; a
// shorter peak may be missed.
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
