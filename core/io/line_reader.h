// The lines of a source, one after the other: for formats that are text.
//
// Memory: one line and what was read with it; a line is bounded, and one that is longer is cut, so
// that a file without line feeds costs what others cost.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "core/base/result.h"
#include "core/io/source.h"

namespace weft::io {

struct Line {
  std::string_view text{};  // without the line feed, or carriage return and line feed
  uint64_t offset = 0;      // of its first byte in the source
  bool is_cut = false;      // longer than the bound: the rest was passed over
};

class LineReader {
 public:
  explicit LineReader(Source& source, size_t max_line_bytes = size_t{64} << 20)
      : source_(source), max_line_bytes_(max_line_bytes) {}

  // The next line, valid until the next call; null at the end. What stands behind the last line
  // feed is a line, if there is anything.
  const Line* next() {
    const std::string_view rest = std::string_view(buffer_).substr(at_);
    const size_t size = find_line_feed(rest);
    if (size == std::string_view::npos || size > max_line_bytes_) return next_by_steps();
    const bool has_return = size > 0 && rest[size - 1] == '\r';
    line_.text = rest.substr(0, size - (has_return ? 1 : 0));
    line_.offset = offset_;
    line_.is_cut = false;
    at_ += size + 1;
    offset_ += size + 1;
    return &line_;
  }

  // What ended the source before its end: a cut stream, say. The lines before it were given.
  const std::optional<Error>& error() const { return error_; }
  uint64_t offset() const { return offset_; }  // of the next line

 private:
  // Of a line that is not whole in the buffer, or too long.
  const Line* next_by_steps();
  bool grow();

  // Most lines are short, and a call costs as much as they do.
  static size_t find_line_feed(std::string_view text) {
#ifdef __SSE2__
    const __m128i feeds = _mm_set1_epi8('\n');
    for (size_t i = 0; i < kLooks * sizeof feeds && i + sizeof feeds <= text.size();
         i += sizeof feeds) {
      const auto* const at = reinterpret_cast<const __m128i*>(text.data() + i);
      const int found = _mm_movemask_epi8(_mm_cmpeq_epi8(_mm_loadu_si128(at), feeds));
      if (found != 0)
        return i + static_cast<size_t>(std::countr_zero(static_cast<uint32_t>(found)));
    }
#endif
    return text.find('\n');
  }

  static constexpr size_t kLooks = 3;
  static constexpr size_t kBlockBytes = size_t{1} << 20;
  Source& source_;
  size_t max_line_bytes_;
  Line line_;
  std::string buffer_;
  size_t at_ = 0;  // of the next line in the buffer
  uint64_t offset_ = 0;
  std::optional<Error> error_;
};

}  // namespace weft::io
