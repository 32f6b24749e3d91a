// Writing to a file, a pipe or a terminal until all is written.
#pragma once

#include <unistd.h>

#include <cerrno>
#include <string_view>

namespace weft {

// Blocks until all bytes are written; signals do not end it. False: it failed, and errno says why.
inline bool write_all(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t n = ::write(fd, bytes.data(), bytes.size());
    if (n < 0 && errno != EINTR) return false;
    if (n > 0) bytes.remove_prefix(static_cast<size_t>(n));
  }
  return true;
}

}  // namespace weft
