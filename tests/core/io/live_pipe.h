// A pipe with a name into which a test writes bit by bit, while others read.
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <string_view>

#include "core/io/file_descriptor.h"

namespace weft::test {

class LivePipe {
 public:
  explicit LivePipe(std::filesystem::path path) : path_(std::move(path)) {
    EXPECT_EQ(::mkfifo(path_.c_str(), 0600), 0);
    // Opened for reading, too: so it opens without a reader at the other end.
    writer_ = io::FileDescriptor(::open(path_.c_str(), O_RDWR | O_CLOEXEC));
  }

  const std::filesystem::path& path() const { return path_; }
  void write(std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t n = ::write(writer_.get(), bytes.data(), bytes.size());
      ASSERT_GT(n, 0);
      bytes.remove_prefix(static_cast<size_t>(n));
    }
  }
  void close() { writer_ = {}; }
  // Somebody has taken all that was written.
  bool is_read() const {
    int bytes = 0;
    EXPECT_EQ(::ioctl(writer_.get(), FIONREAD, &bytes), 0);
    return bytes == 0;
  }

 private:
  std::filesystem::path path_;
  io::FileDescriptor writer_;
};

}  // namespace weft::test
