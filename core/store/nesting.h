// Which row a state of a lane goes to: its depth.
//
// States come in order of begin, the longer first where begins are equal, and each goes to the
// lowest row that is free at its begin. Properly nested states get their depth in the call stack;
// overlapping ones are packed into as many rows as they need, and counted. O(1) for each nested
// state, O(log depth) for one that overlaps.
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

  // States so far that end behind one that had begun before and not ended; begin of the first.
  uint64_t overlaps() const { return overlaps_; }
  int64_t first_overlap() const { return first_overlap_; }

 private:
  struct Busy {
    int64_t end;
    uint32_t row;
    bool operator>(const Busy& other) const { return end > other.end; }
  };
  uint32_t place_first_fit(int64_t begin, int64_t end);

  // The rows that are not free. While all that is open is nested they are a stack, row i at place
  // i; once something overlaps, and until all is closed, a heap with the earliest end in front.
  std::vector<Busy> busy_;
  bool is_tangled_ = false;
  std::vector<uint32_t> free_;  // tangled: rows below rows_ that are free, a heap, the lowest first
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
