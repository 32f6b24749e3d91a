// Interned texts: each is numbered 0, 1, 2 … in order of first appearance.
//
// The texts are packed into blocks beside an open-addressing table of numbers: about 30 bytes a
// text plus its own, where a std::unordered_map of strings takes 100; many lie in large arrays
// (large_vector.h). Texts cannot be removed.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

#include "core/base/hash_index.h"
#include "core/base/large_vector.h"
#include "core/base/text_arena.h"
#include "core/base/text_hash.h"

namespace weft {

class TextNumbers {
  auto is_text(std::string_view text) const {
    return [this, text](uint32_t known) { return TextHash::are_equal(texts_[known], text); };
  }

 public:
  // Returns the number of `text`, and whether it is new.
  std::pair<uint32_t, bool> add(std::string_view text) {
    bool is_new = false;
    const uint32_t number = index_.find_or_add(TextHash()(text), is_text(text), is_new);
    if (is_new) texts_.push_back(arena_.add(text));
    return {number, is_new};
  }
  // Returns the number of `text`; nullopt if it has none.
  std::optional<uint32_t> find(std::string_view text) const {
    return index_.find(TextHash()(text), is_text(text));
  }
  // The text of a number; lives as long as this.
  std::string_view text(uint32_t number) const { return texts_[number]; }
  uint32_t size() const { return index_.size(); }

 private:
  HashIndex index_;
  LargeVector<std::string_view> texts_;  // views into arena_
  TextArena arena_;
};

}  // namespace weft
