// Reads a file of records whose lengths are known only bit by bit.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "core/io/source.h"

namespace weft::formats::uftrace {

class Pieces {
 public:
  explicit Pieces(io::Source& source) : source_(source) {}

  // The next bytes, `size` of them; empty at the end.
  std::string_view next(size_t size) {
    if (bytes_.size() - at_ < size) fill(size);
    return bytes_.size() - at_ < size ? std::string_view()
                                      : std::string_view(bytes_.data() + at_, size);
  }
  // Returns the next bytes, up to `size`.
  std::string_view ahead(size_t size) {
    if (bytes_.size() - at_ < size) fill(size);
    return std::string_view(bytes_).substr(at_, size);
  }
  void skip(size_t size) {
    at_ += size;
    offset_ += size;
  }
  uint64_t offset() const { return offset_; }
  bool is_at_end() { return next(1).empty(); }

 private:
  void fill(size_t size) {
    constexpr size_t kBlockBytes = 64 << 10;
    bytes_.erase(0, at_);
    at_ = 0;
    const size_t before = bytes_.size();
    bytes_.resize(before + std::max(size, kBlockBytes));
    const auto n = source_.read(
        std::as_writable_bytes(std::span(bytes_.data() + before, bytes_.size() - before)));
    bytes_.resize(before + n.value_or(0));
  }

  io::Source& source_;
  std::string bytes_;
  size_t at_ = 0;
  uint64_t offset_ = 0;
};

}  // namespace weft::formats::uftrace
