#include "app/cli/stop_signal.h"

namespace weft::cli {
namespace {

volatile std::sig_atomic_t g_signal = 0;

}  // namespace

StopSignal::StopSignal(std::initializer_list<int> signals) {
  g_signal = 0;
  struct sigaction action = {};
  action.sa_handler = [](int signal) { g_signal = signal; };
  action.sa_flags = static_cast<int>(SA_RESETHAND) | SA_RESTART;
  for (const int signal : signals)
    ::sigaction(signal, &action, &previous_.emplace_back(signal, action).second);
}

StopSignal::~StopSignal() {
  for (const auto& [signal, action] : previous_) ::sigaction(signal, &action, nullptr);
}

bool StopSignal::has_come() const { return g_signal != 0; }
void StopSignal::pass_on() const { std::raise(g_signal); }

}  // namespace weft::cli
