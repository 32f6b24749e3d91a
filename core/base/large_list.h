// A list of values that stay where they are, of any number: it grows by blocks, each as large as
// all before it, and large blocks are large arrays (large_vector.h), whose untouched pages cost
// nothing. Values are not removed singly.
#pragma once

#include <bit>
#include <cstddef>
#include <utility>
#include <vector>

#include "core/base/large_vector.h"

namespace weft {

template <class T>
class LargeList {
 public:
  template <class List, class Value>
  class Position {
   public:
    using value_type = T;
    using difference_type = ptrdiff_t;
    Position() = default;
    Position(List* list, size_t at) : list_(list), at_(at) {}
    Value& operator*() const { return (*list_)[at_]; }
    Value* operator->() const { return &**this; }
    Position& operator++() {
      ++at_;
      return *this;
    }
    Position operator++(int) { return {list_, at_++}; }
    bool operator==(const Position&) const = default;

   private:
    List* list_ = nullptr;
    size_t at_ = 0;
  };

  LargeList() = default;
  LargeList(LargeList&& other) noexcept
      : blocks_(std::move(other.blocks_)), size_(std::exchange(other.size_, 0)) {}
  LargeList& operator=(LargeList&& other) noexcept {
    std::swap(blocks_, other.blocks_);
    std::swap(size_, other.size_);
    return *this;
  }
  ~LargeList() {
    for (T& value : *this) std::destroy_at(&value);
    for (size_t i = 0; i < blocks_.size(); ++i)
      LargeAllocator<T>().deallocate(blocks_[i], block_size(i));
  }

  template <class... Args>
  T& emplace_back(Args&&... args) {
    const size_t block = block_of(size_);
    if (block == blocks_.size()) {
      blocks_.reserve(block + 1);
      blocks_.push_back(LargeAllocator<T>().allocate(block_size(block)));
    }
    T* const place = blocks_[block] + place_in(block, size_);
    std::construct_at(place, std::forward<Args>(args)...);
    ++size_;
    return *place;
  }

  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T& operator[](size_t at) { return value(at); }
  const T& operator[](size_t at) const { return value(at); }

  auto begin() { return Position<LargeList, T>(this, 0); }
  auto end() { return Position<LargeList, T>(this, size_); }
  auto begin() const { return Position<const LargeList, const T>(this, 0); }
  auto end() const { return Position<const LargeList, const T>(this, size_); }

 private:
  // Block i has 2^i values, behind the 2^i - 1 of those before it.
  static size_t block_size(size_t block) { return size_t{1} << block; }
  static size_t block_of(size_t at) { return static_cast<size_t>(std::bit_width(at + 1)) - 1; }
  static size_t place_in(size_t block, size_t at) { return at + 1 - block_size(block); }

  T& value(size_t at) const {
    const size_t block = block_of(at);
    return blocks_[block][place_in(block, at)];
  }

  std::vector<T*> blocks_;
  size_t size_ = 0;
};

}  // namespace weft
