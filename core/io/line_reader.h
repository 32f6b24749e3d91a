// Reads text formats line by line.
//
// Memory is bounded by a block of lines. Lines longer than a limit are cut, so that a file without
// line feeds costs no more than others. Where reading was stopped, what was read of the next line
// is left out.
#pragma once

#include <algorithm>
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
  std::string_view text{};  // without LF or CRLF
  uint64_t offset = 0;      // of its first byte in the source
  bool is_cut = false;      // longer than the limit: the rest was skipped
  bool is_open = false;     // without a line feed: the last line, maybe cut off
};

// A run of whole lines. The source's last line, and a line that was cut, may lack the line feed.
struct LineBlock {
  std::string text;
  uint64_t offset = 0;  // of its first byte in the source
};

// Splits a source into blocks at line ends.
class LineBlocks {
 public:
  LineBlocks(Source& source, size_t max_line_bytes, size_t block_bytes = size_t{1} << 20)
      : source_(source),
        max_line_bytes_(max_line_bytes),
        block_bytes_(block_bytes),
        offset_(source.offset()) {}

  // Reads the next lines, about `block_bytes`; returns false at the end. Text after the last line
  // feed counts as a line.
  bool next(LineBlock& block);

  // The error that ended the source early (a cut stream, say). Lines before it were delivered.
  const std::optional<Error>& error() const { return error_; }
  uint64_t offset() const { return offset_; }  // of the end of the last block

 private:
  bool grow(std::string& text);
  void cut_line(std::string& text);

  Source& source_;
  size_t max_line_bytes_;
  size_t block_bytes_;
  std::string carry_;  // read beyond the last line feed
  uint64_t offset_;
  std::optional<Error> error_;
};

// Iterates over the lines of a block, which must stay alive.
class Lines {
 public:
  Lines(const LineBlock& block, size_t max_line_bytes)
      : rest_(block.text), offset_(block.offset), max_line_bytes_(max_line_bytes) {}

  // Returns the next line, valid until the next call; null at the end.
  const Line* next() {
    if (rest_.empty()) return nullptr;
    const size_t size = std::min(find_line_feed(rest_), rest_.size());
    line_.text = rest_.substr(0, std::min(size, max_line_bytes_));
    if (line_.text.ends_with('\r')) line_.text.remove_suffix(1);
    line_.offset = offset_;
    line_.is_cut = size > max_line_bytes_;
    line_.is_open = size == rest_.size();
    const size_t taken = std::min(size + 1, rest_.size());
    rest_.remove_prefix(taken);
    offset_ += taken;
    return &line_;
  }

 private:
  // Searches the first bytes inline: most lines are so short that a call would cost as much.
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
  std::string_view rest_;
  uint64_t offset_;
  size_t max_line_bytes_;
  Line line_;
};

// Iterates over all lines of a source.
class LineReader {
 public:
  explicit LineReader(Source& source, size_t max_line_bytes = size_t{64} << 20,
                      size_t block_bytes = size_t{1} << 20)
      : blocks_(source, max_line_bytes, block_bytes),
        max_line_bytes_(max_line_bytes),
        lines_(block_, 0) {}
  LineReader(const LineReader&) = delete;
  LineReader& operator=(const LineReader&) = delete;

  // Returns the next line, valid until the next call; null at the end.
  const Line* next() {
    const Line* const line = lines_.next();
    return line != nullptr ? line : next_block();
  }

  const std::optional<Error>& error() const { return blocks_.error(); }
  uint64_t offset() const { return blocks_.offset(); }  // of the end of what was read

 private:
  const Line* next_block();

  LineBlocks blocks_;
  size_t max_line_bytes_;
  LineBlock block_;
  Lines lines_;  // of block_
};

}  // namespace weft::io
