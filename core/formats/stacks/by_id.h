// A map from ids, mostly small and consecutive, to numbers: such ids cost four bytes each.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>

#include "core/base/large_vector.h"

namespace weft::formats::stacks {

class ById {
 public:
  // Returns false if the id already has a number, which it keeps.
  bool try_emplace(int64_t id, int64_t number) {
    if (find(id)) return false;
    ++size_;
    const bool is_small = id >= 0 && static_cast<uint64_t>(id) < kFirst + 4 * size_;
    if (!is_small || number < 0 || number >= kNone) return others_.emplace(id, number).second;
    const auto at = static_cast<size_t>(id);
    if (at >= small_.size()) small_.resize(at + 1, kNone);
    small_[at] = static_cast<uint32_t>(number);
    return true;
  }
  std::optional<int64_t> find(int64_t id) const {
    const auto at = static_cast<uint64_t>(id);
    if (at < small_.size() && small_[at] != kNone) return small_[at];
    if (others_.empty()) return std::nullopt;
    const auto it = others_.find(id);
    return it == others_.end() ? std::nullopt : std::optional(it->second);
  }

 private:
  static constexpr uint32_t kNone = UINT32_MAX;
  static constexpr uint64_t kFirst = 1 << 12;
  uint64_t size_ = 0;
  LargeVector<uint32_t> small_;
  LargePool memory_;
  std::pmr::unordered_map<int64_t, int64_t> others_{&memory_};
};

}  // namespace weft::formats::stacks
