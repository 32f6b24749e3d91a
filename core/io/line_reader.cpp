#include "core/io/line_reader.h"

#include <algorithm>
#include <span>

namespace weft::io {

// False at the end.
bool LineReader::grow() {
  buffer_.erase(0, at_);
  at_ = 0;
  const size_t have = buffer_.size();
  buffer_.resize(std::max(have * 2, have + kBlockBytes));
  const auto n = source_.read(std::as_writable_bytes(std::span(buffer_).subspan(have)));
  buffer_.resize(have + (n ? *n : 0));
  if (!n) error_ = n.error();
  return buffer_.size() > have;
}

const Line* LineReader::next_by_steps() {
  line_ = {.offset = offset_};
  size_t looked_at = 0;  // of the line: holds no line feed
  size_t passed = 0;     // of a line that is too long: dropped from the buffer
  for (;;) {
    const size_t end = buffer_.find('\n', at_ + looked_at);
    const bool is_whole = end != std::string::npos;
    looked_at = (is_whole ? end : buffer_.size()) - at_;
    if (!is_whole && looked_at > max_line_bytes_) {
      // Only the beginning is kept.
      line_.is_cut = true;
      const size_t excess = looked_at - max_line_bytes_;
      buffer_.erase(at_ + max_line_bytes_, excess);
      passed += excess;
      looked_at = max_line_bytes_;
    }
    if (!is_whole && !error_ && grow()) continue;
    if (!is_whole && looked_at == 0) return nullptr;
    line_.text = std::string_view(buffer_).substr(at_, looked_at);
    line_.is_cut |= line_.text.size() > max_line_bytes_;
    line_.text = line_.text.substr(0, max_line_bytes_);
    if (line_.text.ends_with('\r')) line_.text.remove_suffix(1);
    const size_t taken = looked_at + (is_whole ? 1 : 0);
    at_ += taken;
    offset_ += taken + passed;
    return &line_;
  }
}

}  // namespace weft::io
