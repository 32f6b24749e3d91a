#include "app/cli/peak_memory.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <string_view>

#include "core/base/numbers.h"

namespace weft::cli {
namespace {

// The value of a line "Name:   123 kB" of /proc/self/status.
uint64_t bytes_of(std::string_view status, std::string_view name) {
  size_t at = status.find(name);
  if (at == std::string_view::npos) return 0;
  status.remove_prefix(
      std::min(status.size(), status.find_first_of("0123456789", at + name.size())));
  return take_number<uint64_t>(status).value_or(0) * 1024;
}

uint64_t private_bytes() {
  const int fd = ::open("/proc/self/status", O_RDONLY | O_CLOEXEC);
  if (fd < 0) return 0;
  char text[4096];
  const ssize_t size = ::read(fd, text, sizeof text);
  ::close(fd);
  const std::string_view status(text, static_cast<size_t>(std::max<ssize_t>(0, size)));
  return bytes_of(status, "\nRssAnon:") + bytes_of(status, "\nRssShmem:");
}

}  // namespace

uint64_t peak_resident_bytes() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return static_cast<uint64_t>(usage.ru_maxrss) * 1024;
}

PrivateMemoryPeak::PrivateMemoryPeak()
    : peak_bytes_(private_bytes()), thread_([this] { sample_until_stopped(); }) {}

PrivateMemoryPeak::~PrivateMemoryPeak() {
  {
    std::lock_guard lock(mutex_);
    is_stopping_ = true;
  }
  stop_.notify_all();
  thread_.join();
}

void PrivateMemoryPeak::sample_until_stopped() {
  std::unique_lock lock(mutex_);
  while (!stop_.wait_for(lock, std::chrono::milliseconds(5), [this] { return is_stopping_; })) {
    peak_bytes_ = std::max(peak_bytes_.load(), private_bytes());
  }
}

}  // namespace weft::cli
