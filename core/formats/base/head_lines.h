// Iterates over the first lines of a text, for sniffing.
#pragma once

#include <optional>
#include <string_view>

#include "core/formats/base/text.h"

namespace weft::formats {

class HeadLines {
 public:
  explicit HeadLines(std::string_view head, int most = 400) : rest_(head), left_(most) {}

  // Returns the next line without its line feed; nullopt at the end or after enough lines.
  std::optional<std::string_view> next() {
    if (rest_.empty() || left_-- == 0) return std::nullopt;
    is_open_ = !rest_.contains('\n');
    std::string_view line = take_to(rest_, '\n');
    if (line.ends_with('\r')) line.remove_suffix(1);
    return line;
  }

  // Whether the line last returned lacks a line feed, and so may be truncated.
  bool is_open() const { return is_open_; }

 private:
  std::string_view rest_;
  bool is_open_ = false;
  int left_;
};

}  // namespace weft::formats
