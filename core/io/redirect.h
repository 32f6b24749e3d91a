// Redirects a standard stream of the process for a while: to capture what libraries report in no
// other way, or to silence them.
#pragma once

#include <cstdio>
#include <mutex>

#include "core/io/file_descriptor.h"

namespace weft::io {

// Redirects `stream` to `to` (or to nowhere, if `to` cannot be written) while it lives. One at a
// time per process; others wait. Output of other threads is redirected as well.
class Redirect {
 public:
  Redirect(std::FILE* stream, int to);
  Redirect(const Redirect&) = delete;
  Redirect& operator=(const Redirect&) = delete;
  ~Redirect();

 private:
  std::lock_guard<std::mutex> one_at_a_time_;
  std::FILE* stream_;
  FileDescriptor before_;  // closed if the stream had none
};

}  // namespace weft::io
