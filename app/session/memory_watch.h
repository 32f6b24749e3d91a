// Measures the program's memory on one worker for all who ask, at most once a second. If nobody
// asks, nothing is measured, and there is no worker.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "app/base/memory_use.h"
#include "core/base/latest.h"

namespace weft::app {

class MemoryWatch {
 public:
  // `wake` is called on any thread when a measurement has come; may be empty.
  explicit MemoryWatch(std::function<void()> wake) : wake_(std::move(wake)) {}

  // The newest measurement, a new object each time; null before the first. Requests the next one.
  std::shared_ptr<const MemoryUse> use();
  // Whether freed memory is returned to the kernel before each further measurement.
  void set_giving_back(bool gives_back) { gives_back_ = gives_back; }
  bool is_giving_back() const { return gives_back_; }

 private:
  struct Look {
    int64_t second = 0;
    bool gives_back = false;
    bool operator==(const Look&) const = default;
  };

  std::function<void()> wake_;
  bool gives_back_ = false;
  std::unique_ptr<Latest<Look, MemoryUse>> looks_;
};

}  // namespace weft::app
