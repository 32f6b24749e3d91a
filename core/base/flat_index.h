// Numbers by key, for loops that look one up for every record: an open table of indices beside a
// list of the keys, which is in order of their first insertion. Nothing is removed but everything.
//
// Hash: size_t(const Key&), whose low bits differ. At most 2^32 - 1 keys. A look-up is a cache line
// or two; a std::unordered_map takes three times as long.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace weft {

template <class Key, class Hash>
class FlatIndex {
 public:
  using Entry = std::pair<Key, size_t>;

  // The number of the key; `otherwise`, from now on, where it has none yet.
  size_t insert(const Key& key, size_t otherwise) {
    if (const size_t* const known = find(key)) return *known;
    if (2 * (entries_.size() + 1) > slots_.size()) grow();
    slots_[slot_of(key)] = static_cast<uint32_t>(entries_.size());
    entries_.emplace_back(key, otherwise);
    return otherwise;
  }

  // Null: it has none.
  const size_t* find(const Key& key) const {
    if (slots_.empty()) return nullptr;
    const size_t slot = slot_of(key);
    return slots_[slot] == kFree ? nullptr : &entries_[slots_[slot]].second;
  }

  std::span<const Entry> entries() const { return entries_; }

  // Keeps its memory where that is not far too much for what was in it.
  void clear() {
    const bool is_roomy = slots_.size() > 16 * entries_.size() + kLeastSlots;
    slots_.assign(is_roomy ? kLeastSlots : slots_.size(), kFree);
    entries_.clear();
  }

 private:
  static constexpr uint32_t kFree = 0xFFFFFFFF;
  static constexpr size_t kLeastSlots = 256;

  // Where the key is, or would be.
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

  std::vector<uint32_t> slots_;  // of entries; a power of two
  std::vector<Entry> entries_;
};

// Of a whole number.
struct NumberHash {
  size_t operator()(uint64_t key) const {
    key = (key ^ key >> 32) * 0x9e3779b97f4a7c15;
    return key ^ key >> 29;
  }
};

}  // namespace weft
