// A value that takes long to make, for the frame thread: asked for by key, answered at once with
// the newest that is finished and whether that is stale, and made anew by a thread of its own.
//
// Only the newest key is made: what was asked meanwhile is skipped. A maker that takes a stop_token
// is told to give up where another key is wanted after it has worked for kPatience (what is quicker
// is worth showing while the user drags), and at the end. The frame thread only tries the lock,
// which the worker holds for the time to swap a pointer: in vain, it gets the old value, and asks
// again in the next frame. Old values are freed elsewhere (dispose.h): the frame thread frees none.
#pragma once

#include <chrono>
#include <concepts>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>
#include <tuple>
#include <utility>

#include "core/base/dispose.h"

namespace weft {

template <class Key, class Value>
class Latest {
 public:
  struct Found {
    std::shared_ptr<const Value> value;  // null until the first is made
    bool is_stale = true;                // of another key than asked for
    const Key* key = nullptr;            // of the value, until it is asked again
  };

  static constexpr std::chrono::milliseconds kPatience{200};

  // `make` runs on the worker; `on_ready` too, after each value. It is Value(const Key&), or
  // optional<Value>(const Key&, const std::stop_token&): nothing where it gave up.
  template <class Make>
  explicit Latest(Make make, std::function<void()> on_ready = {})
      : make_([make = std::move(make)](const Key& key,
                                       const std::stop_token& stop) -> std::optional<Value> {
          if constexpr (std::invocable<const Make&, const Key&, const std::stop_token&>) {
            return make(key, stop);
          } else {
            return make(key);
          }
        }),
        on_ready_(std::move(on_ready)),
        worker_([this] { work(); }) {}
  ~Latest() {
    {
      std::lock_guard lock(mutex_);
      stopping_ = true;
      stop_.request_stop();
    }
    wake_.notify_all();
    worker_.join();
    // The maker keeps what it needs to make the next one, keys what they are of.
    dispose_of(std::tuple(std::move(make_), std::move(shown_), std::move(shown_key_),
                          std::move(made_), std::move(made_key_), std::move(wanted_)));
  }
  Latest(const Latest&) = delete;
  Latest& operator=(const Latest&) = delete;

  Found find(const Key& key) {
    if (std::unique_lock lock(mutex_, std::try_to_lock); lock) {
      if (shown_ != made_) {
        dispose_of(std::pair(std::exchange(shown_, made_), std::exchange(shown_key_, made_key_)));
      }
      const bool is_coming = shown_key_ == key || making_ == key;
      wanted_ = is_coming ? std::nullopt : std::optional<Key>(key);
      if (wanted_) wake_.notify_all();
      if (wanted_ && making_ && Clock::now() - begun_ > kPatience) stop_.request_stop();
    }
    return {shown_, !(shown_key_ == key), shown_key_ ? &*shown_key_ : nullptr};
  }

 private:
  using Clock = std::chrono::steady_clock;

  void work() {
    std::unique_lock lock(mutex_);
    while (true) {
      wake_.wait(lock, [this] { return stopping_ || wanted_; });
      if (stopping_) return;
      making_ = std::exchange(wanted_, std::nullopt);
      const Key key = *making_;
      begun_ = Clock::now();
      stop_ = {};
      const std::stop_token stop = stop_.get_token();
      lock.unlock();
      std::optional<Value> value = make_(key, stop);
      auto made = value ? std::make_shared<const Value>(std::move(*value)) : nullptr;
      lock.lock();
      const std::optional<Key> made_key = std::exchange(making_, std::nullopt);
      if (made) {
        made_ = std::move(made);
        made_key_ = made_key;
      }
      lock.unlock();
      if (on_ready_) on_ready_();
      lock.lock();
    }
  }

  std::function<std::optional<Value>(const Key&, const std::stop_token&)> make_;
  std::function<void()> on_ready_;
  std::shared_ptr<const Value> shown_;  // the frame thread's
  std::optional<Key> shown_key_;

  std::mutex mutex_;
  std::condition_variable wake_;
  std::optional<Key> wanted_, making_, made_key_;
  std::shared_ptr<const Value> made_;
  std::stop_source stop_;      // of the value being made …
  Clock::time_point begun_{};  // … since then
  bool stopping_ = false;
  std::thread worker_;  // last: it uses the others
};

}  // namespace weft
