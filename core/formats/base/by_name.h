// Values by names, looked up by views of text: no string is made for a name that is known.
//
// An open table: to find a short name takes a few nanoseconds, a third of what std::unordered_map
// takes. Entries stay where they are; none is removed. Many names and entries lie in large arrays
// (large_vector.h).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "core/base/large_list.h"
#include "core/base/large_vector.h"
#include "core/base/text_arena.h"
#include "core/base/text_hash.h"

namespace weft::formats {

template <class Value>
class ByName {
 public:
  using Entry = std::pair<const std::string_view, Value>;

  // Returns null if the name has no value.
  const Entry* find(std::string_view name) const {
    if (slots_.empty()) return nullptr;
    return slots_[slot_of(name, TextHash()(name))].entry;
  }
  Entry* find(std::string_view name) {
    return const_cast<Entry*>(static_cast<const ByName*>(this)->find(name));
  }

  // Returns the name's entry, and whether it is new; a new one is constructed from the arguments.
  template <class... Args>
  std::pair<Entry*, bool> try_emplace(std::string_view name, Args&&... args) {
    if (2 * (entries_.size() + 1) > slots_.size()) grow();
    const uint64_t hash = TextHash()(name);
    Slot& slot = slots_[slot_of(name, hash)];
    if (slot.entry != nullptr) return {slot.entry, false};
    slot = {hash, &entries_.emplace_back(std::piecewise_construct,
                                         std::forward_as_tuple(names_.add(name)),
                                         std::forward_as_tuple(std::forward<Args>(args)...))};
    return {slot.entry, true};
  }
  Value& operator[](std::string_view name) { return try_emplace(name).first->second; }
  void insert_or_assign(std::string_view name, Value value) { (*this)[name] = std::move(value); }

  size_t size() const { return entries_.size(); }
  // In order of insertion.
  LargeList<Entry>& entries() { return entries_; }
  const LargeList<Entry>& entries() const { return entries_; }

 private:
  struct Slot {
    uint64_t hash = 0;
    Entry* entry = nullptr;
  };
  static constexpr size_t kLeastSlots = 4;

  // Returns the slot that holds the name, or the free slot where it belongs.
  size_t slot_of(std::string_view name, uint64_t hash) const {
    const size_t mask = slots_.size() - 1;
    size_t i = hash & mask;
    while (slots_[i].entry != nullptr &&
           !(slots_[i].hash == hash && TextHash::are_equal(slots_[i].entry->first, name)))
      i = (i + 1) & mask;
    return i;
  }

  void grow() {
    const size_t size = std::max(kLeastSlots, 2 * slots_.size());
    LargeVector<Slot> old(size);
    old.swap(slots_);
    for (const Slot& slot : old) {
      if (slot.entry != nullptr) slots_[slot_of(slot.entry->first, slot.hash)] = slot;
    }
  }

  LargeVector<Slot> slots_;  // a power of two
  LargeList<Entry> entries_;
  TextArena names_;
};

// The same for values that are removed again.
template <class Value>
using PassingByName = std::unordered_map<std::string, Value, TextHash, std::equal_to<>>;

// Returns the name's value, initially `first`.
template <class Value>
Value& value_of(ByName<Value>& values, std::string_view name, Value first = {}) {
  return values.try_emplace(name, std::move(first)).first->second;
}

}  // namespace weft::formats
