#include "app/window/quit_signals.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

namespace weft::app {
namespace {

std::atomic<int> g_to = -1;
static_assert(std::atomic<int>::is_always_lock_free);

// A handler may write into a pipe, and little else.
void pass_on(int) {
  const int before = errno;
  const char byte = 0;
  (void)!::write(g_to, &byte, 1);
  errno = before;
}

}  // namespace

QuitSignals::QuitSignals(std::function<void()> wake) {
  if (::pipe2(pipe_, O_CLOEXEC) != 0) return;
  waiting_ = std::thread([this, wake = std::move(wake)] {
    char byte = 0;
    ssize_t got = 0;
    do {
      got = ::read(pipe_[0], &byte, 1);
    } while (got < 0 && errno == EINTR);
    has_come_ = got == 1;
    if (has_come_) wake();
  });
  g_to = pipe_[1];
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction now = {};
    if (::sigaction(signal, nullptr, &now) != 0 || now.sa_handler != SIG_DFL) continue;
    struct sigaction action = {};
    action.sa_handler = pass_on;
    action.sa_flags = static_cast<int>(SA_RESETHAND) | SA_RESTART;
    if (::sigaction(signal, &action, nullptr) == 0) previous_.emplace_back(signal, now);
  }
}

QuitSignals::~QuitSignals() {
  for (const auto& [signal, action] : previous_) ::sigaction(signal, &action, nullptr);
  g_to = -1;
  if (!waiting_.joinable()) return;
  ::close(pipe_[1]);
  waiting_.join();
  ::close(pipe_[0]);
}

}  // namespace weft::app
