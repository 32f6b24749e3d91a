// Text that outlives where it came from, packed into blocks.
#pragma once

#include <cstddef>
#include <memory>
#include <string_view>
#include <vector>

namespace weft {

// Views stay valid until clear(); kReadableBehind bytes behind each are readable. The first block
// is small, since there may be many of them, and each is twice the last.
class TextArena {
 public:
  static constexpr size_t kReadableBehind = 64;

  std::string_view add(std::string_view text);
  void clear();
  size_t size_bytes() const { return size_; }

 private:
  static constexpr size_t kFirstBlock = 512, kLargestBlock = 64 << 10;
  std::vector<std::unique_ptr<char[]>> blocks_;
  size_t block_bytes_ = kFirstBlock;  // of the next one
  size_t size_ = 0;                   // of all texts
  size_t left_ = 0;
  char* next_ = nullptr;
};

}  // namespace weft
