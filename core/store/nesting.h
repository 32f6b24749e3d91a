// Which row a state of a lane goes to: its depth.
//
// States come in order of begin, the longer first where begins are equal, and each goes to the
// lowest row that is free at its begin. Properly nested states get their depth in the call stack;
// overlapping ones are packed into as many rows as they need. O(log depth) for each state.
#pragma once

#include <cstdint>
#include <functional>
#include <queue>
#include <vector>

#include "core/store/trace.h"

namespace weft::store {

class Nesting {
 public:
  uint32_t place(int64_t begin, int64_t end) {
    while (!busy_.empty() && busy_.front().end <= begin) {
      free_.push(busy_.front().row);
      std::pop_heap(busy_.begin(), busy_.end(), std::greater<>());
      busy_.pop_back();
    }
    uint32_t row = rows_;
    if (free_.empty()) {
      ++rows_;
    } else {
      row = free_.top();
      free_.pop();
    }
    busy_.push_back({end, row});
    std::push_heap(busy_.begin(), busy_.end(), std::greater<>());
    return row;
  }

 private:
  struct Busy {
    int64_t end;
    uint32_t row;
    bool operator>(const Busy& other) const { return end > other.end; }
  };
  uint32_t rows_ = 0;
  std::vector<Busy> busy_;  // a heap, the earliest end first
  std::priority_queue<uint32_t, std::vector<uint32_t>, std::greater<>> free_;
};

// Puts a lane's states into the order that Nesting wants: by begin, then the longer first, then the
// lower `order` (see trace::StateEvent::nesting), then as given. Records of other kinds: by begin,
// then as given. `scratch` is reused memory. Radix sort: O(n) for each 11 bits of the span.
void sort_records(std::vector<Record>& records, RowKind kind, std::vector<Record>& scratch);

}  // namespace weft::store
