// A hash map from keys to numbers for loops that look one up per record: an open-addressing table
// of indices beside an array of the entries in order of insertion, both of them large arrays
// (large_vector.h). Single entries cannot be removed.
//
// Hash: size_t(const Key&), whose low bits must vary. At most 2^32 - 1 keys. A look-up touches one
// or two cache lines; std::unordered_map takes three times as long.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "core/base/large_vector.h"

namespace weft {

template <class Key, class Hash>
class FlatIndex {
 public:
  using Entry = std::pair<Key, size_t>;

  // Returns the number stored for `key`; stores and returns `otherwise` if there is none yet.
  size_t insert(const Key& key, size_t otherwise) {
    if (const size_t* const known = find(key)) return *known;
    if (2 * (entries_.size() + 1) > slots_.size()) grow();
    slots_[slot_of(key)] = static_cast<uint32_t>(entries_.size());
    entries_.emplace_back(key, otherwise);
    return otherwise;
  }

  // Returns null if the key is unknown. Valid until the next insert() or clear().
  const size_t* find(const Key& key) const {
    if (slots_.empty()) return nullptr;
    const size_t slot = slot_of(key);
    return slots_[slot] == kFree ? nullptr : &entries_[slots_[slot]].second;
  }

  std::span<const Entry> entries() const { return entries_; }

  // Removes all entries. Keeps the memory unless it is far too large for what it held.
  void clear() {
    const bool is_roomy = slots_.size() > 16 * entries_.size() + kLeastSlots;
    slots_.assign(is_roomy ? kLeastSlots : slots_.size(), kFree);
    entries_.clear();
  }

 private:
  static constexpr uint32_t kFree = 0xFFFFFFFF;
  static constexpr size_t kLeastSlots = 256;

  // Returns the slot that holds the key, or the free slot where it belongs.
  size_t slot_of(const Key& key) const {
    const size_t mask = slots_.size() - 1;
    size_t slot = Hash()(key) & mask;
    while (slots_[slot] != kFree && !(entries_[slots_[slot]].first == key))
      slot = (slot + 1) & mask;
    return slot;
  }

  void grow() {
    slots_.assign(std::max(kLeastSlots, 2 * slots_.size()), kFree);
    for (uint32_t i = 0; i < entries_.size(); ++i) slots_[slot_of(entries_[i].first)] = i;
  }

  LargeVector<uint32_t> slots_;  // indices into entries_; the size is a power of two
  LargeVector<Entry> entries_;
};

// A hash of an integer.
struct NumberHash {
  size_t operator()(uint64_t key) const {
    key = (key ^ key >> 32) * 0x9e3779b97f4a7c15;
    return key ^ key >> 29;
  }
};

}  // namespace weft
