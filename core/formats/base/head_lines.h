// The first lines of a text, for what asks what kind of text it is.
#pragma once

#include <optional>
#include <string_view>

#include "core/formats/base/text.h"

namespace weft::formats {

class HeadLines {
 public:
  explicit HeadLines(std::string_view head, int most = 400) : rest_(head), left_(most) {}

  // Without its line feed; none at the end, or after enough of them.
  std::optional<std::string_view> next() {
    if (rest_.empty() || left_-- == 0) return std::nullopt;
    std::string_view line = take_to(rest_, '\n');
    if (line.ends_with('\r')) line.remove_suffix(1);
    return line;
  }

 private:
  std::string_view rest_;
  int left_;
};

}  // namespace weft::formats
