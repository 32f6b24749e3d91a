// The types of a trace's events: a list that grows, and whose copies share what they have in
// common.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <string_view>
#include <vector>

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

// In a list its texts live as long as the list or a copy of it.
struct EventType {
  std::string_view name;
  std::string_view group;  // what the format calls a category ("cat" in Chrome JSON); may be empty
  Category category = Category::kState;
  uint32_t rgb = kNoColor;  // 0xRRGGBB where the trace gives a colour
  static constexpr uint32_t kNoColor = 0xFFFFFFFF;
  bool operator==(const EventType&) const = default;
};

// In order of their ids. A type takes 40 bytes and its texts. They lie in blocks that copies share:
// a copy costs 16 bytes for 64 types. Only the list that began a block fills it, behind what its
// copies know of, so that they may be read by other threads meanwhile; what is changed in a block
// is changed in a copy of it.
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
  // Stays where it is while this list or a copy of it lives and does not change it.
  const EventType& operator[](size_t at) const { return (*blocks_[at / kBlock])[at % kBlock]; }
  Iterator begin() const { return {this, 0}; }
  Iterator end() const { return {this, size_}; }
  // O(blocks) where one is a copy of the other.
  bool operator==(const EventTypes& other) const;

  // Copies the texts.
  void push_back(const EventType& type);
  void set_color(EventTypeId id, uint32_t rgb);

 private:
  static constexpr size_t kBlock = 64;
  using Block = std::array<EventType, kBlock>;

  void swap(EventTypes& other) noexcept;
  // Of its own from now on.
  Block& renew(size_t block);

  std::vector<std::shared_ptr<Block>> blocks_;
  std::vector<std::shared_ptr<TextArena>> texts_;
  size_t size_ = 0;
  bool fills_last_ = false;  // whether the last block and the last arena are its own
};

}  // namespace weft::trace
