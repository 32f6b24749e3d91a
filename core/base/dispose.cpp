#include "core/base/dispose.h"

#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

namespace weft {
namespace {

class Disposer {
 public:
  ~Disposer() {
    {
      const std::lock_guard lock(mutex_);
      is_stopping_ = true;
    }
    wake_.notify_one();
    worker_.join();
  }

  void take(std::shared_ptr<const void> value) {
    {
      const std::lock_guard lock(mutex_);
      values_.push_back(std::move(value));
    }
    wake_.notify_one();
  }

 private:
  void work() {
    std::unique_lock lock(mutex_);
    while (!is_stopping_ || !values_.empty()) {
      wake_.wait(lock, [this] { return is_stopping_ || !values_.empty(); });
      std::vector<std::shared_ptr<const void>> values;
      values.swap(values_);
      lock.unlock();
      values.clear();
      lock.lock();
    }
  }

  std::mutex mutex_;
  std::condition_variable wake_;
  std::vector<std::shared_ptr<const void>> values_;
  bool is_stopping_ = false;
  std::thread worker_{[this] { work(); }};  // last: it uses the others
};

}  // namespace

void dispose(std::shared_ptr<const void> value) {
  static Disposer disposer;
  if (value) disposer.take(std::move(value));
}

}  // namespace weft
