// A value that takes long to make, for the frame thread: asked for by key, answered at once with
// the newest that is finished and whether that is stale, and made anew by a thread of its own.
//
// Only the newest key is made: what was asked meanwhile is skipped. The frame thread only tries the
// lock, which the worker holds for the time to swap a pointer: in vain, it gets the old value, and
// asks again in the next frame.
#pragma once

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

namespace weft::render {

template <class Key, class Value>
class Latest {
 public:
  struct Found {
    std::shared_ptr<const Value> value;  // null until the first is made
    bool is_stale = true;                // of another key than asked for
  };

  // `make` runs on the worker; `on_ready` too, after each value.
  explicit Latest(std::function<Value(const Key&)> make, std::function<void()> on_ready = {})
      : make_(std::move(make)), on_ready_(std::move(on_ready)), worker_([this] { work(); }) {}
  ~Latest() {
    {
      std::lock_guard lock(mutex_);
      stopping_ = true;
    }
    wake_.notify_all();
    worker_.join();
  }
  Latest(const Latest&) = delete;
  Latest& operator=(const Latest&) = delete;

  Found find(const Key& key) {
    if (std::unique_lock lock(mutex_, std::try_to_lock); lock) {
      shown_ = made_;
      shown_key_ = made_key_;
      const bool is_coming = shown_key_ == key || making_ == key;
      wanted_ = is_coming ? std::nullopt : std::optional<Key>(key);
      if (wanted_) wake_.notify_all();
    }
    return {shown_, !(shown_key_ == key)};
  }

 private:
  void work() {
    std::unique_lock lock(mutex_);
    while (true) {
      wake_.wait(lock, [this] { return stopping_ || wanted_; });
      if (stopping_) return;
      making_ = std::exchange(wanted_, std::nullopt);
      const Key key = *making_;
      lock.unlock();
      auto value = std::make_shared<const Value>(make_(key));
      lock.lock();
      made_ = std::move(value);
      made_key_ = std::exchange(making_, std::nullopt);
      lock.unlock();
      if (on_ready_) on_ready_();
      lock.lock();
    }
  }

  std::function<Value(const Key&)> make_;
  std::function<void()> on_ready_;
  std::shared_ptr<const Value> shown_;  // the frame thread's
  std::optional<Key> shown_key_;

  std::mutex mutex_;
  std::condition_variable wake_;
  std::optional<Key> wanted_, making_, made_key_;
  std::shared_ptr<const Value> made_;
  bool stopping_ = false;
  std::thread worker_;  // last: it uses the others
};

}  // namespace weft::render
