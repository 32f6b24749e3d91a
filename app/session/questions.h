// Questions of connections to the user in front of a window. Answers are not commands: what is
// typed reaches neither the journal, nor the settings, nor the messages.
//
// A connection's thread asks and waits; the frame thread shows the first question and answers it.
// Thread-safe.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>

#include "capture/host/asker.h"

namespace weft::app {

struct OpenQuestion {
  uint64_t id = 0;
  std::optional<capture::DoubtfulHost> host = {};  // to trust or not; else a text is asked for
  capture::Question question = {};
};

class Questions final : public capture::Asker {
 public:
  // `wake` is called on any thread when the first question changes; may be empty.
  explicit Questions(std::function<void()> wake) : wake_(std::move(wake)) {}

  bool trusts(const capture::DoubtfulHost& host, const IsGivenUp& is_given_up) override;
  std::optional<capture::Secret> answer(const capture::Question& question,
                                        const IsGivenUp& is_given_up) override;

  // The question that has waited longest; nullopt: nobody asks.
  std::optional<OpenQuestion> first() const;
  // Answers a question; nullopt means no. Ignored if nobody waits for the answer any more.
  void reply(uint64_t id, std::optional<capture::Secret> answer);

 private:
  std::optional<capture::Secret> ask(OpenQuestion question, const IsGivenUp& is_given_up);

  const std::function<void()> wake_;
  mutable std::mutex mutex_;
  std::condition_variable replied_;
  std::deque<OpenQuestion> open_;
  uint64_t last_id_ = 0;
  uint64_t replied_id_ = 0;  // the question that `reply_` is for
  std::optional<capture::Secret> reply_;
};

}  // namespace weft::app
