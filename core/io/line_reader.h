// The lines of a source, one after the other: for formats that are text.
//
// Memory: a block of lines; a line is bounded, and one that is longer is cut, so that a file
// without line feeds costs what others cost.
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
  std::string_view text{};  // without the line feed, or carriage return and line feed
  uint64_t offset = 0;      // of its first byte in the source
  bool is_cut = false;      // longer than the bound: the rest was passed over
  bool is_open = false;     // no line feed stands behind it: the last, maybe cut off
};

// Some whole lines: of the source's last, or of one that is too long to be kept, the line feed is
// not there.
struct LineBlock {
  std::string text;
  uint64_t offset = 0;  // of its first byte in the source
};

// The source cut between lines.
class LineBlocks {
 public:
  LineBlocks(Source& source, size_t max_line_bytes, size_t block_bytes = size_t{1} << 20)
      : source_(source),
        max_line_bytes_(max_line_bytes),
        block_bytes_(block_bytes),
        offset_(source.offset()) {}

  // The next lines, about `block_bytes` of them; false at the end. What stands behind the last line
  // feed is a line, if there is anything.
  bool next(LineBlock& block);

  // What ended the source before its end: a cut stream, say. The lines before it were given.
  const std::optional<Error>& error() const { return error_; }
  uint64_t offset() const { return offset_; }  // behind the last block

 private:
  bool grow(std::string& text);
  void cut_line(std::string& text);

  Source& source_;
  size_t max_line_bytes_;
  size_t block_bytes_;
  std::string carry_;  // what was read behind the last line feed
  uint64_t offset_;
  std::optional<Error> error_;
};

// The lines of a block, which must stay.
class Lines {
 public:
  Lines(const LineBlock& block, size_t max_line_bytes)
      : rest_(block.text), offset_(block.offset), max_line_bytes_(max_line_bytes) {}

  // Valid until the next call; null at the end.
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
  std::string_view rest_;
  uint64_t offset_;
  size_t max_line_bytes_;
  Line line_;
};

// The lines of all blocks.
class LineReader {
 public:
  explicit LineReader(Source& source, size_t max_line_bytes = size_t{64} << 20,
                      size_t block_bytes = size_t{1} << 20)
      : blocks_(source, max_line_bytes, block_bytes),
        max_line_bytes_(max_line_bytes),
        lines_(block_, 0) {}
  LineReader(const LineReader&) = delete;
  LineReader& operator=(const LineReader&) = delete;

  // The next line, valid until the next call; null at the end.
  const Line* next() {
    const Line* const line = lines_.next();
    return line != nullptr ? line : next_block();
  }

  const std::optional<Error>& error() const { return blocks_.error(); }
  uint64_t offset() const { return blocks_.offset(); }  // behind what was read, at the end

 private:
  const Line* next_block();

  LineBlocks blocks_;
  size_t max_line_bytes_;
  LineBlock block_;
  Lines lines_;  // of the block
};

}  // namespace weft::io
