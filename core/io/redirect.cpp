#include "core/io/redirect.h"

#include <fcntl.h>

namespace weft::io {
namespace {

std::mutex& mutex_of_process() {
  static std::mutex mutex;
  return mutex;
}

}  // namespace

Redirect::Redirect(std::FILE* stream, int to)
    : one_at_a_time_(mutex_of_process()), stream_(stream) {
  std::fflush(stream);
  before_ = FileDescriptor(::fcntl(::fileno(stream), F_DUPFD_CLOEXEC, 0));
  ::dup2(to, ::fileno(stream));
}

Redirect::~Redirect() {
  std::fflush(stream_);
  if (before_.is_open()) {
    ::dup2(before_.get(), ::fileno(stream_));
  } else {
    ::close(::fileno(stream_));
  }
}

}  // namespace weft::io
