// A set of integers stored as intervals: compact if they arrive mostly in order. Many intervals lie
// in large arrays (large_vector.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>

#include "core/base/large_vector.h"

namespace weft {

class IntervalSet {
 public:
  bool contains(uint64_t n) const {
    const auto after = last_by_first_.upper_bound(n);
    return after != last_by_first_.begin() && std::prev(after)->second >= n;
  }

  // O(log intervals).
  void insert(uint64_t n) {
    auto after = last_by_first_.upper_bound(n);
    const auto before = after == last_by_first_.begin() ? last_by_first_.end() : std::prev(after);
    if (before != last_by_first_.end() && before->second >= n) return;
    const bool joins_before = before != last_by_first_.end() && before->second + 1 == n;
    const bool joins_after = after != last_by_first_.end() && after->first - 1 == n;
    const uint64_t last = joins_after ? after->second : n;
    if (joins_after) last_by_first_.erase(after);
    if (joins_before) {
      before->second = last;
    } else {
      last_by_first_.emplace(n, last);
    }
  }

  size_t intervals() const { return last_by_first_.size(); }

 private:
  LargePool memory_;
  std::pmr::map<uint64_t, uint64_t> last_by_first_{&memory_};  // neither overlapping nor touching
};

}  // namespace weft
