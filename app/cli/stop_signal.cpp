#include "app/cli/stop_signal.h"

#include <array>
#include <csignal>

namespace weft::cli {
namespace {

constexpr std::array kSignals = {SIGINT, SIGTERM};

volatile std::sig_atomic_t g_signal = 0;
std::array<struct sigaction, kSignals.size()> g_previous;

}  // namespace

StopSignal::StopSignal() {
  g_signal = 0;
  struct sigaction action = {};
  action.sa_handler = [](int signal) { g_signal = signal; };
  action.sa_flags = static_cast<int>(SA_RESETHAND) | SA_RESTART;
  for (size_t i = 0; i < kSignals.size(); ++i) ::sigaction(kSignals[i], &action, &g_previous[i]);
}

StopSignal::~StopSignal() {
  for (size_t i = 0; i < kSignals.size(); ++i) ::sigaction(kSignals[i], &g_previous[i], nullptr);
}

bool StopSignal::has_come() const { return g_signal != 0; }
void StopSignal::pass_on() const { std::raise(g_signal); }

}  // namespace weft::cli
