// What the events of a Go execution trace refer to: texts and stacks, by their numbers. Each
// generation has numbers of its own; traces before 1.22 have a single one. Many lie in large
// arrays.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <span>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "core/base/flat_index.h"
#include "core/base/large_vector.h"
#include "core/base/text_arena.h"

namespace weft::formats::go {

struct Frame {
  uint64_t function = 0, file = 0;  // texts
  uint64_t line = 0;
};

class Tables {
 public:
  void add_text(uint32_t generation, uint64_t id, std::string_view text) {
    texts_.insert_or_assign({generation, id}, arena_.add(text));
  }
  // `frames`: from the innermost.
  void add_stack(uint32_t generation, uint64_t id, std::span<const Frame> frames) {
    stacks_.insert_or_assign({generation, id}, std::pair(frames_.size(), frames.size()));
    frames_.insert(frames_.end(), frames.begin(), frames.end());
  }

  // Empty: there is none.
  std::string_view text(uint32_t generation, uint64_t id) const {
    const auto it = texts_.find({generation, id});
    return it == texts_.end() ? std::string_view() : it->second;
  }
  std::span<const Frame> stack(uint32_t generation, uint64_t id) const {
    const auto it = stacks_.find({generation, id});
    if (it == stacks_.end()) return {};
    return std::span(frames_).subspan(it->second.first, it->second.second);
  }

 private:
  struct Key {
    uint32_t generation;
    uint64_t id;
    bool operator==(const Key&) const = default;
  };
  struct KeyHash {
    size_t operator()(const Key& key) const {
      return NumberHash()(key.id ^ uint64_t{key.generation} << 40);
    }
  };
  template <class Value>
  using ByKey = std::pmr::unordered_map<Key, Value, KeyHash>;

  LargePool memory_;
  TextArena arena_;
  ByKey<std::string_view> texts_{&memory_};
  LargeVector<Frame> frames_;
  ByKey<std::pair<size_t, size_t>> stacks_{&memory_};  // the first in frames_, and how many
};

}  // namespace weft::formats::go
