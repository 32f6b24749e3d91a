// Standard output through one large buffer: what commands print is data, often a lot of it.
#pragma once

#include <fmt/core.h>

#include <filesystem>
#include <iterator>
#include <optional>
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

// A file that a command makes. "-" is standard output: it gets the file once it is whole, and what
// the command says of it goes to standard error.
class MadeFile {
 public:
  // In a folder of its own, where it is printed, under the name `printed`.
  static Result<MadeFile> of(const std::string& output, const std::string& printed);

  const std::filesystem::path& path() const { return path_; }
  Output said() const;
  // Prints it, where it is to be printed.
  Status finish() const;

 private:
  std::filesystem::path path_;
  std::optional<io::TemporaryFolder> folder_;  // of what is printed
};

// One line to standard error, "weftscope: …", made printable. Where that cannot be written, nobody
// is told.
void complain(std::string_view message);

// Text from a trace as a JSON string in quotes: valid UTF-8 whatever it holds, and tame.
std::string json_string(std::string_view text);

// The same JSON, on one line and with escapes for all that would act on a terminal or end a line:
// control characters, marks of direction, separators of lines. Valid UTF-8, and JSON, is what it is
// given.
std::string tame_json(std::string json);

}  // namespace weft::cli
