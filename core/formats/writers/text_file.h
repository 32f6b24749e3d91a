// A text file written in blocks; it appears under its name only when complete.
#pragma once

#include <fmt/core.h>

#include <cstdint>
#include <filesystem>
#include <iterator>
#include <span>
#include <string>
#include <utility>

#include "core/base/result.h"
#include "core/io/output_file.h"

namespace weft::formats {

class TextFile {
 public:
  static Result<TextFile> create(const std::filesystem::path& path) {
    WEFT_TRY_ASSIGN(io::OutputFile file, io::OutputFile::create(path));
    return TextFile(std::move(file));
  }

  template <class... Args>
  void print(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<Args>(args)...);
    if (text_.size() >= kBlockBytes) flush();
  }

  bool is_ok() const { return status_.has_value(); }  // nothing has failed so far
  Status commit() {
    flush();
    WEFT_TRY(status_);
    return file_.commit();
  }

 private:
  static constexpr size_t kBlockBytes = size_t{1} << 20;
  explicit TextFile(io::OutputFile file) : file_(std::move(file)) {}

  void flush() {
    if (status_) status_ = file_.write_at(at_, std::as_bytes(std::span(text_)));
    at_ += text_.size();
    text_.clear();
  }

  io::OutputFile file_;
  std::string text_;
  uint64_t at_ = 0;
  Status status_;
};

}  // namespace weft::formats
