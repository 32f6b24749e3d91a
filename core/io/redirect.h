// What a process writes to one of its standard streams, sent elsewhere for a while: libraries write
// there what they tell in no other way, or what nobody wants to read.
#pragma once

#include <cstdio>
#include <mutex>

#include "core/io/file_descriptor.h"

namespace weft::io {

// From here to its end `stream` goes to `to`; where that takes no writing, nowhere. One at a time
// in a process, others wait; whatever other threads write meanwhile goes along.
class Redirect {
 public:
  Redirect(std::FILE* stream, int to);
  Redirect(const Redirect&) = delete;
  Redirect& operator=(const Redirect&) = delete;
  ~Redirect();

 private:
  std::lock_guard<std::mutex> one_at_a_time_;
  std::FILE* stream_;
  FileDescriptor before_;  // closed: there was none
};

}  // namespace weft::io
