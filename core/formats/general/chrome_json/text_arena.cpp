#include "core/formats/general/chrome_json/text_arena.h"

#include <algorithm>
#include <cstring>

#include "core/formats/general/chrome_json/json_cursor.h"

namespace weft::formats::chrome_json {

std::string_view TextArena::add(std::string_view text) {
  // Readers look a few bytes past the end of a text.
  const size_t needed = text.size() + kTextPadding;
  if (needed > left_) {
    const size_t size = std::max(needed, kBlockBytes);
    blocks_.push_back(std::make_unique_for_overwrite<char[]>(size));
    next_ = blocks_.back().get();
    left_ = size;
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

}  // namespace weft::formats::chrome_json
