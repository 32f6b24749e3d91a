// The event types of a trace: a growing list whose copies share storage.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "core/base/large_vector.h"
#include "core/base/strong_id.h"
#include "core/base/text_arena.h"

namespace weft::trace {

// The order is part of the .weft format.
enum class Category : uint8_t {
  kPunctual,  // an instant
  kState,     // a half-open interval [begin, end), nested by depth
  kLink,      // from a lane at a time to a lane at a time; either end may be missing
  kVariable,  // a sample of a value, which holds until the next
};
inline constexpr int kCategoryCount = 4;

// "punctual", "state", "link", "variable".
std::string_view name_of(Category category);

// In an EventTypes list, the texts live as long as the list or any copy of it.
struct EventType {
  std::string_view name;
  std::string_view group;  // what the format calls a category ("cat" in Chrome JSON); may be empty
  Category category = Category::kState;
  uint32_t rgb = kNoColor;  // 0xRRGGBB where the trace gives a colour
  static constexpr uint32_t kNoColor = 0xFFFFFFFF;
  bool operator==(const EventType&) const = default;
};

// A copy-on-write list, indexed by EventTypeId. A type takes 40 bytes plus its texts. Types lie in
// blocks that copies share; copying costs 16 bytes per 64 types. Only the list that started a block
// appends to it, beyond what its copies know, so other threads may read them meanwhile. Changing a
// type first copies its block. The blocks and texts of many types lie in large arrays
// (large_vector.h).
class EventTypes {
 public:
  class Iterator {
   public:
    using value_type = EventType;
    using difference_type = ptrdiff_t;
    Iterator() = default;
    const EventType& operator*() const { return (*types_)[at_]; }
    const EventType* operator->() const { return &**this; }
    Iterator& operator++() {
      ++at_;
      return *this;
    }
    Iterator operator++(int) {
      const Iterator before = *this;
      ++at_;
      return before;
    }
    bool operator==(const Iterator&) const = default;

   private:
    friend class EventTypes;
    Iterator(const EventTypes* types, size_t at) : types_(types), at_(at) {}
    const EventTypes* types_ = nullptr;
    size_t at_ = 0;
  };

  EventTypes() = default;
  EventTypes(const EventTypes& other)
      : blocks_(other.blocks_), texts_(other.texts_), size_(other.size_) {}
  EventTypes(EventTypes&& other) noexcept { swap(other); }
  EventTypes& operator=(EventTypes other) noexcept {
    swap(other);
    return *this;
  }
  ~EventTypes() = default;

  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  // The reference stays valid while this list, or a copy of it, lives and does not change that
  // type.
  const EventType& operator[](size_t at) const { return (*blocks_[at / kBlock])[at % kBlock]; }
  Iterator begin() const { return {this, 0}; }
  Iterator end() const { return {this, size_}; }
  // O(blocks) if one is a copy of the other.
  bool operator==(const EventTypes& other) const;

  // Copies the texts.
  void push_back(const EventType& type);
  void set_color(EventTypeId id, uint32_t rgb);

 private:
  static constexpr size_t kBlock = 64;
  using Block = std::array<EventType, kBlock>;

  void swap(EventTypes& other) noexcept;
  std::shared_ptr<Block> new_block();
  // Replaces a shared block by a copy of this list's own.
  Block& renew(size_t block);

  std::vector<std::shared_ptr<Block>> blocks_;
  std::vector<std::shared_ptr<TextArena>> texts_;
  std::shared_ptr<LargeVector<Block>> slab_;  // this list's own: where new blocks come from
  size_t slab_used_ = 0;                      // blocks of it
  size_t size_ = 0;
  bool fills_last_ = false;  // whether this list owns the last block and arena
};

}  // namespace weft::trace
