#include "core/formats/base/text_window.h"

#include <algorithm>
#include <cstring>

#include "core/formats/base/json_cursor.h"

namespace weft::formats::json {

void TextWindow::pad() {
  buffer_.resize(std::max(buffer_.size(), end_ + kTextPadding));
  std::memset(buffer_.data() + end_, 0, kTextPadding);
}

void TextWindow::move_to(size_t begin, size_t more) {
  const size_t text_bytes = size();
  buffer_.resize(std::max(buffer_.size(), begin + text_bytes + more + kTextPadding));
  std::memmove(buffer_.data() + begin, data(), text_bytes);
  begin_ = begin;
  end_ = begin + text_bytes;
}

size_t TextWindow::read_source(char* out, size_t size) {
  if (error_) return 0;
  const auto n = source_.read(std::as_writable_bytes(std::span(out, size)));
  if (!n) error_ = n.error();
  is_at_end_ = !n || *n == 0;
  return n.value_or(0);
}

bool TextWindow::grow() {
  const size_t more = std::max(kLeastRead, size());
  move_to(0, more);
  const size_t n = read_source(buffer_.data() + end_, more);
  end_ += n;
  pad();
  return n > 0;
}

void TextWindow::consume(size_t n) {
  begin_ += n;
  offset_ += n;
}

size_t TextWindow::read(char* out, size_t size) {
  const size_t from_window = std::min(size, this->size());
  std::memcpy(out, data(), from_window);
  consume(from_window);
  size_t filled = from_window;
  while (filled < size && (filled == 0 || source_.is_ready())) {
    const size_t n = read_source(out + filled, size - filled);
    if (n == 0) break;
    filled += n;
    offset_ += n;
  }
  return filled;
}

void TextWindow::put_back(std::string_view text) {
  move_to(text.size(), 0);
  std::ranges::copy(text, buffer_.begin());
  begin_ = 0;
  offset_ -= text.size();
  pad();
}

}  // namespace weft::formats::json
