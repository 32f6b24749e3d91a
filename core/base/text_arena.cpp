#include "core/base/text_arena.h"

#include <algorithm>
#include <cstring>

namespace weft {
namespace {
constexpr size_t kFirstBlock = 128, kLeastBlock = 512, kLargestBlock = 8 << 20;
static_assert(kLargestBlock >= kLeastLargeBytes);
}  // namespace

std::string_view TextArena::add(std::string_view text) {
  const size_t needed = text.size() + kReadableBehind;
  if (needed > left_) {
    const size_t usual = std::clamp(size_ / 4, kLeastBlock, kLargestBlock);
    left_ = std::max(needed, size_ == 0 ? kFirstBlock : usual);
    blocks_.emplace_back(LargeAllocator<char>().allocate(left_), FreeBlock{left_});
    next_ = blocks_.back().get();
  }
  if (!text.empty()) std::memcpy(next_, text.data(), text.size());
  const std::string_view added(next_, text.size());
  next_ += text.size();
  left_ -= text.size();
  size_ += text.size();
  return added;
}

void TextArena::clear() {
  blocks_.clear();
  size_ = left_ = 0;
}

}  // namespace weft
