// Assigns the states of a lane to rows, i.e. depths.
//
// States come in order of begin, longer ones first at equal begins; each goes to the lowest row
// that is free at its begin. Properly nested states thereby get their depth in the call stack;
// overlapping ones are packed into as many rows as they need, and counted. O(1) for a nested state,
// O(log depth) for an overlapping one. Each row costs about 500 bytes in memory and in the file, so
// there are at most kMostRows; a state that would need one more has none.
#pragma once

#include <cstdint>
#include <vector>

#include "core/store/trace.h"

namespace weft::store {

class Nesting {
 public:
  static constexpr uint32_t kMostRows = 1 << 17;

  // Its row; kMostRows: there is none.
  uint32_t place(int64_t begin, int64_t end) {
    if (is_tangled_) return place_first_fit(begin, end);
    while (!busy_.empty() && busy_.back().end <= begin) busy_.pop_back();
    if (!busy_.empty() && busy_.back().end < end) return place_first_fit(begin, end);
    const auto row = static_cast<uint32_t>(busy_.size());
    if (row == kMostRows) return refuse(begin);
    busy_.push_back({end, row});
    return row;
  }

  // How many states so far, and the begin of the first of them.
  struct Some {
    uint64_t states = 0;
    int64_t first = 0;
    void add(int64_t begin) {
      if (states++ == 0) first = begin;
    }
  };
  const Some& overlaps() const { return overlaps_; }  // overlap an earlier one, not within it
  const Some& refused() const { return refused_; }    // have no row

 private:
  struct Busy {
    int64_t end;
    uint32_t row;
    bool operator>(const Busy& other) const { return end > other.end; }
  };
  uint32_t place_first_fit(int64_t begin, int64_t end);
  uint32_t refuse(int64_t begin) {
    refused_.add(begin);
    return kMostRows;
  }

  // The occupied rows. While all open states nest, a stack with row i at index i; once some
  // overlap, and until all are closed, a heap with the earliest end in front.
  std::vector<Busy> busy_;
  bool is_tangled_ = false;
  std::vector<uint32_t> free_;  // tangled: free rows below rows_, a min-heap
  uint32_t rows_ = 0;           // tangled
  Some overlaps_, refused_;
};

// Puts a lane's states into the order that Nesting wants: by begin, then the longer first, then the
// lower `order` (see trace::StateEvent::nesting), then as given. Records of other kinds: by begin,
// then as given. `scratch` is reused memory. O(n) for sorted runs that hardly overlap, and for
// nested states in order of end; else a radix sort: O(n) for each 11 bits of the span.
void sort_records(std::vector<Record>& records, RowKind kind, std::vector<Record>& scratch);

}  // namespace weft::store
