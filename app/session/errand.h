// What a worker is sent to find out, to be taken once: the last question counts.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <utility>

#include "render/latest.h"

namespace weft::app {

// Keys of different questions differ. Of the frame thread.
template <class Key, class Answer>
class Errand {
 public:
  struct Done {
    Key key;
    std::shared_ptr<const Answer> answer;
  };

  // `work` and `wake` are those of the first question (render::Latest).
  template <class Work>
  void send(Key key, Work work, std::function<void()> wake) {
    if (!worker_) {
      worker_ = std::make_unique<render::Latest<Key, Answer>>(std::move(work), std::move(wake));
    }
    asked_ = std::move(key);
    (void)worker_->find(*asked_);
  }
  void give_up() { asked_.reset(); }
  // What is not answered yet.
  const std::optional<Key>& asked() const { return asked_; }
  // The answer, once it is there.
  std::optional<Done> take() {
    if (!asked_) return std::nullopt;
    auto found = worker_->find(*asked_);
    if (found.is_stale) return std::nullopt;
    return Done{*std::exchange(asked_, std::nullopt), std::move(found.value)};
  }

 private:
  std::optional<Key> asked_;
  std::unique_ptr<render::Latest<Key, Answer>> worker_;
};

}  // namespace weft::app
