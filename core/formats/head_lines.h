// The first lines of a text, for what asks what kind of text it is.
#pragma once

#include <algorithm>
#include <optional>
#include <string_view>

namespace weft::formats {

class HeadLines {
 public:
  explicit HeadLines(std::string_view head, int most = 400) : rest_(head), left_(most) {}

  // Without its line feed; none at the end, or after enough of them.
  std::optional<std::string_view> next() {
    if (rest_.empty() || left_-- == 0) return std::nullopt;
    const size_t end = std::min(rest_.find('\n'), rest_.size());
    std::string_view line = rest_.substr(0, end);
    rest_.remove_prefix(std::min(end + 1, rest_.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    return line;
  }

 private:
  std::string_view rest_;
  int left_;
};

}  // namespace weft::formats
