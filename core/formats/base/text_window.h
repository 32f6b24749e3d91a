// The input as text: the part that is being looked at, and the source behind it.
//
// The unread text is contiguous, in a large array where it is long, and followed by kTextPadding
// zero bytes. An error of the source (a cut gzip file, say) ends the text like its end does, and is
// kept for the report.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "core/base/large_vector.h"
#include "core/base/result.h"
#include "core/io/source.h"

namespace weft::formats::json {

class TextWindow {
 public:
  explicit TextWindow(io::Source& source) : source_(source), offset_(source.offset()) { pad(); }

  const char* data() const { return buffer_.data() + begin_; }
  size_t size() const { return end_ - begin_; }
  std::string_view view() const { return {data(), size()}; }
  uint64_t offset() const { return offset_; }  // of data() in the input

  // Reads more after the unread text, at least doubling it. Returns false at the end of the input.
  bool grow();
  void consume(size_t n);

  // Moves the next bytes to `out`, first from the window, then from the source. Less than `size`
  // only at the end of the input, or if a pipe pauses.
  size_t read(char* out, size_t size);
  // Whether nothing is left and the input has ended.
  bool is_at_end() const { return is_at_end_ && size() == 0; }

  // Returns bytes that read() took: `text` precedes what is unread.
  void put_back(std::string_view text);

  const std::optional<Error>& error() const { return error_; }
  const io::Source& source() const { return source_; }

 private:
  static constexpr size_t kLeastRead = 64 << 10;
  void pad();
  // Moves the unread text to `begin`, with room for `more` bytes behind it.
  void move_to(size_t begin, size_t more);
  size_t read_source(char* out, size_t size);

  io::Source& source_;
  LargeVector<char> buffer_;
  size_t begin_ = 0;
  size_t end_ = 0;
  uint64_t offset_;
  std::optional<Error> error_;
  bool is_at_end_ = false;
};

}  // namespace weft::formats::json
