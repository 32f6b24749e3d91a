// A question to a worker whose answer is taken once; only the last question counts.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <utility>

#include "core/base/latest.h"

namespace weft::app {

// Keys of different questions must differ. Used on the frame thread.
template <class Key, class Answer>
class Errand {
 public:
  struct Done {
    Key key;
    std::shared_ptr<const Answer> answer;
  };

  // Asks. Only the first call's `work` and `wake` are used, as with Latest.
  template <class Work>
  void send(Key key, Work work, std::function<void()> wake) {
    if (!worker_) {
      worker_ = std::make_unique<Latest<Key, Answer>>(std::move(work), std::move(wake));
    }
    asked_ = std::move(key);
    (void)worker_->find(*asked_);
  }
  void give_up() { asked_.reset(); }
  // The question that is not answered yet.
  const std::optional<Key>& asked() const { return asked_; }
  // The answer, once it is there; nullopt before and afterwards.
  std::optional<Done> take() {
    if (!asked_) return std::nullopt;
    auto found = worker_->find(*asked_);
    if (found.is_stale) return std::nullopt;
    return Done{*std::exchange(asked_, std::nullopt), std::move(found.value)};
  }

 private:
  std::optional<Key> asked_;
  std::unique_ptr<Latest<Key, Answer>> worker_;
};

}  // namespace weft::app
