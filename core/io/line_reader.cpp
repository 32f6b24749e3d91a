#include "core/io/line_reader.h"

#include <algorithm>
#include <span>
#include <utility>

namespace weft::io {

// Returns false at the end.
bool LineBlocks::grow(std::string& text) {
  if (error_) return false;
  const size_t have = text.size(), size = std::max(have * 2, have + block_bytes_);
  text.resize_and_overwrite(size, [&](char* bytes, size_t) {
    const auto n = source_.read(std::as_writable_bytes(std::span(bytes + have, size - have)));
    if (!n) error_ = n.error();
    return have + (n ? *n : 0);
  });
  return text.size() > have;
}

bool LineBlocks::next(LineBlock& block) {
  std::string& text = block.text;
  text.swap(carry_);
  carry_.clear();
  block.offset = offset_;
  for (size_t looked_at = 0;;) {
    const size_t feed = std::string_view(text).substr(looked_at).rfind('\n');
    if (feed != std::string_view::npos) {
      carry_.assign(text, looked_at + feed + 1);
      text.resize(looked_at + feed + 1);
      break;
    }
    if (text.size() > max_line_bytes_) {
      cut_line(text);
      return true;
    }
    looked_at = text.size();
    if (grow(text)) continue;
    if (source_.was_stopped()) text.clear();
    break;
  }
  offset_ += text.size();
  return !text.empty();
}

// Keeps the beginning of an overlong incomplete line, plus one byte to mark it as such, and skips
// to the next line.
void LineBlocks::cut_line(std::string& text) {
  offset_ += text.size();
  text.resize(max_line_bytes_ + 1);
  for (std::string rest; grow(rest); rest.clear()) {
    const size_t feed = rest.find('\n');
    offset_ += std::min(feed, rest.size() - 1) + 1;
    if (feed == std::string::npos) continue;
    carry_.assign(rest, feed + 1);
    return;
  }
}

const Line* LineReader::next_block() {
  if (!blocks_.next(block_)) return nullptr;
  lines_ = Lines(block_, max_line_bytes_);
  return lines_.next();
}

}  // namespace weft::io
