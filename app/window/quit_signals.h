// Signals that end the program end the window as its key does, so that what has changed is kept.
#pragma once

#include <atomic>
#include <csignal>
#include <functional>
#include <thread>
#include <utility>
#include <vector>

namespace weft::app {

// While it lives, the first SIGINT, SIGTERM or SIGHUP is a wish to quit; the second of a kind ends
// the program, as ever. What was taken by another or is ignored stays so. One at a time.
class QuitSignals {
 public:
  // `wake` is called by a thread of its own when one has come.
  explicit QuitSignals(std::function<void()> wake);
  ~QuitSignals();
  QuitSignals(const QuitSignals&) = delete;
  QuitSignals& operator=(const QuitSignals&) = delete;

  bool has_come() const { return has_come_; }

 private:
  std::vector<std::pair<int, struct sigaction>> previous_;
  int pipe_[2] = {-1, -1};
  std::atomic<bool> has_come_ = false;
  std::thread waiting_;
};

}  // namespace weft::app
