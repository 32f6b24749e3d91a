// Standard output through one large buffer: what commands print is data, often a lot of it.
#pragma once

#include <fmt/core.h>

#include <filesystem>
#include <iterator>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace weft::cli {

class Output {
 public:
  explicit Output(int fd = 1) : fd_(fd) {}

  void text(std::string_view text) {
    buffer_ += text;
    if (buffer_.size() >= kBufferBytes) drain();
  }
  template <class... Args>
  void print(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(buffer_), format, std::forward<Args>(args)...);
    if (buffer_.size() >= kBufferBytes) drain();
  }

  // False once nothing more arrives: a full disk, a closed pipe.
  bool is_open() const { return error_ == 0; }

  // Writes what is left. The error of the first write that failed.
  Status finish();

 private:
  static constexpr size_t kBufferBytes = size_t{256} << 10;
  void drain();

  int fd_;
  int error_ = 0;
  std::string buffer_;
};

// The whole file to standard output.
Status print_file(const std::filesystem::path& path);

// One line to standard error, "weftscope: …", made printable. Where that cannot be written, nobody
// is told.
void complain(std::string_view message);

// Text from a trace as a JSON string in quotes: valid UTF-8 whatever it holds.
std::string json_string(std::string_view text);

}  // namespace weft::cli
