// What comes on standard input, from the weftscope that started this process.
#pragma once

#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <span>

namespace weft::app {

// Reads as much as fits. Returns false if the input ends, or nothing comes for so long (negative:
// however long).
inline bool fill(std::span<std::byte> out, int patience_ms = -1) {
  while (!out.empty()) {
    pollfd ready{STDIN_FILENO, POLLIN, 0};
    if (::poll(&ready, 1, patience_ms) <= 0) return false;
    const ssize_t got = ::read(STDIN_FILENO, out.data(), out.size());
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    out = out.subspan(static_cast<size_t>(got));
  }
  return true;
}

}  // namespace weft::app
