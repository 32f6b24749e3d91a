// Assigns the states of a lane to rows, i.e. depths.
//
// States come in order of begin, longer ones first at equal begins; each goes to the lowest row
// that is free at its begin. Properly nested states thereby get their depth in the call stack;
// overlapping ones are packed into as many rows as they need, and counted. O(1) for a nested state,
// O(log depth) for an overlapping one.
#pragma once

#include <cstdint>
#include <vector>

#include "core/store/trace.h"

namespace weft::store {

class Nesting {
 public:
  uint32_t place(int64_t begin, int64_t end) {
    if (is_tangled_) return place_first_fit(begin, end);
    while (!busy_.empty() && busy_.back().end <= begin) busy_.pop_back();
    if (!busy_.empty() && busy_.back().end < end) return place_first_fit(begin, end);
    const auto row = static_cast<uint32_t>(busy_.size());
    busy_.push_back({end, row});
    return row;
  }

  // The number of states so far that overlap an earlier one without lying within it, and the begin
  // of the first of them.
  uint64_t overlaps() const { return overlaps_; }
  int64_t first_overlap() const { return first_overlap_; }

 private:
  struct Busy {
    int64_t end;
    uint32_t row;
    bool operator>(const Busy& other) const { return end > other.end; }
  };
  uint32_t place_first_fit(int64_t begin, int64_t end);

  // The occupied rows. While all open states nest, a stack with row i at index i; once some
  // overlap, and until all are closed, a heap with the earliest end in front.
  std::vector<Busy> busy_;
  bool is_tangled_ = false;
  std::vector<uint32_t> free_;  // tangled: free rows below rows_, a min-heap
  uint32_t rows_ = 0;           // tangled
  uint64_t overlaps_ = 0;
  int64_t first_overlap_ = 0;
};

// Puts a lane's states into the order that Nesting wants: by begin, then the longer first, then the
// lower `order` (see trace::StateEvent::nesting), then as given. Records of other kinds: by begin,
// then as given. `scratch` is reused memory. O(n) for sorted runs that hardly overlap, and for
// nested states in order of end; else a radix sort: O(n) for each 11 bits of the span.
void sort_records(std::vector<Record>& records, RowKind kind, std::vector<Record>& scratch);

}  // namespace weft::store
