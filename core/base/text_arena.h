// An arena for texts that must outlive their source, packed into blocks.
#pragma once

#include <cstddef>
#include <memory>
#include <string_view>
#include <vector>

#include "core/base/large_vector.h"

namespace weft {

// Returned views stay valid until clear(); kReadableBehind bytes after each may be read, for scans
// in vector-sized steps. Arenas may be numerous, so the first block is small, and each is a quarter
// of what is there already. The blocks of a large arena are large arrays (large_vector.h).
class TextArena {
 public:
  static constexpr size_t kReadableBehind = 64;

  std::string_view add(std::string_view text);
  void clear();
  size_t size_bytes() const { return size_; }

 private:
  struct FreeBlock {
    size_t bytes;
    void operator()(char* block) const { LargeAllocator<char>().deallocate(block, bytes); }
  };
  std::vector<std::unique_ptr<char[], FreeBlock>> blocks_;
  size_t size_ = 0;  // sum of all texts
  size_t left_ = 0;
  char* next_ = nullptr;
};

}  // namespace weft
