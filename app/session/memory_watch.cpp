#include "app/session/memory_watch.h"

#include <malloc.h>

#include <chrono>

namespace weft::app {

std::shared_ptr<const MemoryUse> MemoryWatch::use() {
  const auto measure = [](const Look& look) {
    if (look.gives_back) malloc_trim(0);
    return measure_memory();
  };
  if (!looks_) looks_ = std::make_unique<Latest<Look, MemoryUse>>(measure, wake_);
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  const int64_t second = std::chrono::duration_cast<std::chrono::seconds>(now).count();
  return looks_->find({second, gives_back_}).value;
}

}  // namespace weft::app
