#include "core/base/text_arena.h"

#include <algorithm>
#include <cstring>

namespace weft {

std::string_view TextArena::add(std::string_view text) {
  const size_t needed = text.size() + kReadableBehind;
  if (needed > left_) {
    left_ = std::max(needed, block_bytes_);
    block_bytes_ = std::min(2 * block_bytes_, kLargestBlock);
    blocks_.push_back(std::make_unique_for_overwrite<char[]>(left_));
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
