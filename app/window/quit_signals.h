// Makes signals that would end the program close the window as its key does, so that changes are
// saved.
#pragma once

#include <atomic>
#include <csignal>
#include <functional>
#include <thread>
#include <utility>
#include <vector>

namespace weft::app {

// While it exists, the first SIGINT, SIGTERM or SIGHUP requests a quit (has_come()); the second of
// a kind ends the program as usual. Signals that are ignored, or handled elsewhere, are left alone.
// Only one instance at a time.
class QuitSignals {
 public:
  // `wake` is called on a thread of its own when a signal has come.
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
