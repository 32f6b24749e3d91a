// A hash table from keys to dense numbers 0, 1, 2 …, assigned in order of first appearance.
//
// It holds no keys: the caller keeps them in an array and compares. Open addressing with linear
// probing, at most a quarter full, so that the first slot is nearly always the right one and the
// branch predicts well. Large tables miss the cache in any case and may be half full: 16 to 32
// bytes a key, in a large array (large_vector.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "core/base/large_vector.h"

namespace weft {

class HashIndex {
 public:
  HashIndex() : slots_(kFirstSlots) {}

  // Returns the number of the key that has this hash and for which is_equal(number) holds. If there
  // is none, sets `is_new` and returns the next number; the caller then appends the key to its
  // array.
  template <class IsEqual>
  uint32_t find_or_add(uint64_t hash, const IsEqual& is_equal, bool& is_new) {
    if (count_ >= slots_.size() / (slots_.size() < kLargeSlots ? 4 : 2)) grow();
    const auto tag = static_cast<uint32_t>(hash ^ hash >> 32);
    for (size_t i = place(tag);; i = (i + 1) & (slots_.size() - 1)) {
      Slot& slot = slots_[i];
      if (slot.number_plus_one == 0) {
        is_new = true;
        slot = {tag, count_ + 1};
        return count_++;
      }
      if (slot.tag == tag && is_equal(slot.number_plus_one - 1)) {
        is_new = false;
        return slot.number_plus_one - 1;
      }
    }
  }

  // Returns the number of that key; nullopt if there is none.
  template <class IsEqual>
  std::optional<uint32_t> find(uint64_t hash, const IsEqual& is_equal) const {
    const auto tag = static_cast<uint32_t>(hash ^ hash >> 32);
    for (size_t i = place(tag); slots_[i].number_plus_one != 0; i = (i + 1) & (slots_.size() - 1)) {
      const Slot& slot = slots_[i];
      if (slot.tag == tag && is_equal(slot.number_plus_one - 1)) return slot.number_plus_one - 1;
    }
    return std::nullopt;
  }

  uint32_t size() const { return count_; }

  void clear() {
    slots_.assign(slots_.size() > kMostKept ? kFirstSlots : slots_.size(), Slot{});
    count_ = 0;
  }

 private:
  struct Slot {
    uint32_t tag = 0;  // of the key's hash
    uint32_t number_plus_one = 0;
  };
  static constexpr size_t kFirstSlots = 1024;
  static constexpr size_t kMostKept = 1 << 16;
  static constexpr size_t kLargeSlots = 1 << 18;

  size_t place(uint32_t tag) const { return tag & (slots_.size() - 1); }

  void grow() {
    LargeVector<Slot> old(slots_.size() * 2);
    old.swap(slots_);
    for (const Slot& slot : old) {
      if (slot.number_plus_one == 0) continue;
      size_t i = place(slot.tag);
      while (slots_[i].number_plus_one != 0) i = (i + 1) & (slots_.size() - 1);
      slots_[i] = slot;
    }
  }

  LargeVector<Slot> slots_;
  uint32_t count_ = 0;
};

}  // namespace weft
