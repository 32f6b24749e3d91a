// An arena for texts that must outlive their source, packed into blocks.
#pragma once

#include <cstddef>
#include <memory>
#include <string_view>
#include <vector>

namespace weft {

// Returned views stay valid until clear(); kReadableBehind bytes after each may be read, for scans
// in vector-sized steps. Arenas may be numerous, so the first block is small; each block is twice
// the size of the one before.
class TextArena {
 public:
  static constexpr size_t kReadableBehind = 64;

  std::string_view add(std::string_view text);
  void clear();
  size_t size_bytes() const { return size_; }

 private:
  static constexpr size_t kFirstBlock = 512, kLargestBlock = 64 << 10;
  std::vector<std::unique_ptr<char[]>> blocks_;
  size_t block_bytes_ = kFirstBlock;  // of the next block
  size_t size_ = 0;                   // sum of all texts
  size_t left_ = 0;
  char* next_ = nullptr;
};

}  // namespace weft
