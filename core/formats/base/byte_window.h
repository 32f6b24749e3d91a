// What all readers of binary records share: bytes are available before they are read, truncated
// input is a loss, progress is reported, and reading stops when the sink wants no more.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/formats/base/early_end.h"
#include "core/formats/base/text_window.h"
#include "core/trace/event_sink.h"

namespace weft::formats {

class ByteWindow {
 public:
  ByteWindow(io::Source& source, trace::EventSink& sink) : window_(source), sink_(sink) {}

  // Returns the next `n` bytes without consuming them; nullopt if the input has fewer. Valid until
  // the next call.
  std::optional<std::string_view> peek(size_t n) {
    if (!ensure(n)) return std::nullopt;
    return window_.view().substr(0, n);
  }
  // Returns what has arrived of the next `most` bytes: at least `least`, unless the input ends.
  std::string_view peek_some(size_t least, size_t most) {
    ensure(least);
    return window_.view().substr(0, most);
  }
  // Returns the next `n` bytes, or fewer at the end.
  std::string_view peek_most(size_t n) {
    ensure(n);
    return window_.view().substr(0, n);
  }
  // Returns false if the input ends before.
  bool skip(uint64_t n) {
    while (n > 0) {
      if (window_.size() == 0 && !window_.grow()) return false;
      const auto part = static_cast<size_t>(std::min<uint64_t>(n, window_.size()));
      window_.consume(part);
      n -= part;
    }
    return true;
  }
  // Skips to the first position that `find` (text → position, or npos) reports; it gets the input
  // piece by piece, and looks for `size` bytes. If there is none, skips everything and returns
  // false.
  template <class Find>
  bool skip_to(size_t size, const Find& find) {
    constexpr size_t kStep = 64 << 10;
    for (;;) {
      const std::string_view bytes = peek_most(kStep);
      const size_t at = find(bytes);
      if (at != std::string_view::npos) return skip(at);
      const bool is_end = bytes.size() < kStep;
      skip(is_end ? bytes.size() : kStep - size);
      if (is_end) return false;
    }
  }
  uint64_t offset() const { return window_.offset(); }
  // Why the input ends prematurely.
  const std::optional<Error>& error() const { return window_.error(); }

  // Call once per record: returns false when the sink wants no more.
  bool is_wanted() {
    constexpr uint32_t kRecordsBetweenLooks = 4096;
    if (++looks_ % kRecordsBetweenLooks != 0) return true;
    sink_.progress(window_.source().disk_bytes_read(), window_.source().disk_bytes_total());
    is_stopped_ = !sink_.keep_going();
    return !is_stopped_;
  }
  // Reports what is left, or what went wrong, when no further record can be read.
  void finish(std::string_view in_what) {
    if (is_stopped_) return;
    if (window_.error()) {
      report_early_end(sink_, *window_.error(), window_.offset());
    } else if (window_.size() > 0) {
      sink_.loss(std::string("input ends within ").append(in_what), window_.offset());
    }
  }
  // The same for a format that ends with `its_end`, which was not met.
  void finish(std::string_view in_what, std::string_view its_end) {
    finish(in_what);
    if (!is_stopped_ && !window_.error() && window_.size() == 0)
      sink_.loss(std::string("input ends before ").append(its_end), window_.offset());
  }

 private:
  bool ensure(size_t n) {
    while (window_.size() < n && !is_at_end_) is_at_end_ = !window_.grow();
    return window_.size() >= n;
  }

  json::TextWindow window_;
  trace::EventSink& sink_;
  uint32_t looks_ = 0;
  bool is_at_end_ = false, is_stopped_ = false;
};

}  // namespace weft::formats
