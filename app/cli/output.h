// Standard output through one large buffer: commands often print a lot of data.
#pragma once

#include <fmt/core.h>

#include <filesystem>
#include <iterator>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/io/temporary_file.h"

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

  // False once writing has failed: a full disk, a closed pipe.
  bool is_open() const { return error_ == 0; }

  // Writes the rest of the buffer. Returns the error of the first write that failed.
  Status finish();

 private:
  static constexpr size_t kBufferBytes = size_t{256} << 10;
  void drain();

  int fd_;
  int error_ = 0;
  std::string buffer_;
};

// A file that a command makes. If its name is "-", the file is printed to standard output once it
// is complete, and the command's messages go to standard error.
class MadeFile {
 public:
  // If `output` is "-", the file is made in a temporary folder under the name `printed`.
  static Result<MadeFile> of(const std::string& output, const std::string& printed);

  const std::filesystem::path& path() const { return path_; }
  Output said() const;
  // Prints the file if it is to be printed.
  Status finish() const;

 private:
  std::filesystem::path path_;
  std::optional<io::TemporaryFolder> folder_;  // holds the file if it is to be printed
};

// Fails where `output` is one of `inputs`, by whatever name, or a trace in a folder that is one:
// making it would replace what is read.
Status check_apart(const std::string& output, std::span<const std::string> inputs);

// Writes "weftscope: MESSAGE" as one line to standard error, made printable. Failures to write it
// are ignored.
void complain(std::string_view message);

}  // namespace weft::cli
