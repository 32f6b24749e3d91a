// A target for segments that stay in memory.
#pragma once

#include <cstddef>
#include <cstring>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include "core/store/packed.h"
#include "core/store/slab_writer.h"

namespace weft::store {

class MemoryFile {
 public:
  MemoryFile() = default;
  MemoryFile(const MemoryFile&) = delete;  // end_ refers to it
  MemoryFile& operator=(const MemoryFile&) = delete;

  FileEnd& end() { return end_; }
  // Takes the bytes, plus kReadSlack, for a Segment. Call once, when everything is written.
  std::vector<std::byte> take() {
    bytes_.resize(end_.end() + kReadSlack);
    bytes_.shrink_to_fit();
    return std::move(bytes_);
  }

 private:
  Status write(uint64_t at, std::span<const std::byte> bytes) {
    const std::lock_guard lock(mutex_);
    if (bytes_.size() < at + bytes.size()) bytes_.resize(at + bytes.size());
    std::memcpy(bytes_.data() + at, bytes.data(), bytes.size());
    return {};
  }

  std::mutex mutex_;
  std::vector<std::byte> bytes_;
  FileEnd end_{[this](uint64_t at, std::span<const std::byte> bytes) { return write(at, bytes); },
               0};
};

}  // namespace weft::store
