// What the program holds in memory, measured by one worker for all who ask, once a second at most.
// Nobody asks: nothing is measured, and there is no worker.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "app/base/memory_use.h"
#include "render/latest.h"

namespace weft::app {

class MemoryWatch {
 public:
  // `wake`: from any thread, a measurement has come; may be empty.
  explicit MemoryWatch(std::function<void()> wake) : wake_(std::move(wake)) {}

  // The newest measurement, another object each time; null before the first. Asks for the next.
  std::shared_ptr<const MemoryUse> use();
  // Whether what was freed goes back to the kernel before the next ones.
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
  std::unique_ptr<render::Latest<Look, MemoryUse>> looks_;
};

}  // namespace weft::app
