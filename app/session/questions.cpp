#include "app/session/questions.h"

#include <chrono>
#include <utility>

namespace weft::app {

bool Questions::trusts(const capture::DoubtfulHost& host, const IsGivenUp& is_given_up) {
  return ask({.host = host}, is_given_up).has_value();
}

std::optional<capture::Secret> Questions::answer(const capture::Question& question,
                                                 const IsGivenUp& is_given_up) {
  return ask({.question = question}, is_given_up);
}

std::optional<capture::Secret> Questions::ask(OpenQuestion question, const IsGivenUp& is_given_up) {
  constexpr std::chrono::milliseconds kBetweenLooks{50};
  std::unique_lock lock(mutex_);
  const uint64_t id = question.id = ++last_id_;
  open_.push_back(std::move(question));
  lock.unlock();
  if (wake_) wake_();
  lock.lock();
  while (!replied_.wait_for(lock, kBetweenLooks, [&] { return replied_id_ == id; })) {
    if (is_given_up()) break;
  }
  std::optional<capture::Secret> reply;
  if (replied_id_ == id) {
    reply = std::exchange(reply_, std::nullopt);
    replied_id_ = 0;
  }
  std::erase_if(open_, [&](const OpenQuestion& each) { return each.id == id; });
  lock.unlock();
  if (wake_) wake_();
  return reply;
}

std::optional<OpenQuestion> Questions::first() const {
  const std::lock_guard lock(mutex_);
  return open_.empty() || open_.front().id == replied_id_ ? std::nullopt
                                                          : std::optional(open_.front());
}

void Questions::reply(uint64_t id, std::optional<capture::Secret> answer) {
  {
    const std::lock_guard lock(mutex_);
    if (open_.empty() || open_.front().id != id) return;
    replied_id_ = id;
    reply_ = std::move(answer);
  }
  replied_.notify_all();
}

}  // namespace weft::app
