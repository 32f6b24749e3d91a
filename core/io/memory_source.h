// A source over bytes in memory, such as a trace's first lines or pasted text. A view: the bytes
// must outlive it. Nothing is decompressed.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <span>

#include "core/base/result.h"
#include "core/io/source.h"

namespace weft::io {

class MemorySource final : public Source {
 public:
  explicit MemorySource(std::span<const std::byte> bytes)
      : bytes_(bytes), offset_(mark_bytes(bytes)) {}

  Result<size_t> read(std::span<std::byte> out) override {
    const size_t n = std::min(out.size(), bytes_.size() - offset_);
    if (n > 0) std::memcpy(out.data(), bytes_.data() + offset_, n);
    offset_ += n;
    return n;
  }
  Result<std::span<const std::byte>> peek(size_t) override { return bytes_.subspan(offset_); }
  uint64_t disk_bytes_read() const override { return offset_; }
  uint64_t disk_bytes_total() const override { return bytes_.size(); }
  uint64_t offset() const override { return offset_; }
  const std::filesystem::path& path() const override { return path_; }

 private:
  std::span<const std::byte> bytes_;
  size_t offset_;
  std::filesystem::path path_ = "memory";
};

}  // namespace weft::io
