// What a row looks like from afar: questions to the aggregation tree.
//
// The tree (core/store/forest.h) lies in the file beside the blocks it summarises; nothing is built
// on opening. All functions are thread-safe, cost O(columns + log n) for a row of n records, and
// may touch mapped pages: they are work for workers.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/base/time.h"
#include "core/store/trace.h"

namespace weft::aggregate {

// What a query read. A node is one node of the tree or one group of records below its leaves; the
// bound to hold is 4 nodes per column at any zoom and any size.
struct ReadCount {
  uint64_t nodes = 0;
  uint64_t records = 0;
};

// Columns [first, first + count) of the absolute grid of 2^level ticks: column c is
// [c·2^level, (c+1)·2^level).
struct GridSpan {
  int level = 0;  // 0 … 62
  int64_t first = 0;
  uint32_t count = 0;

  Time time_of(int64_t column) const {  // saturating
    const int64_t shifted = static_cast<int64_t>(static_cast<uint64_t>(column) << level);
    if (shifted >> level == column) return {shifted};
    return column < 0 ? Time::min() : Time::max();
  }
  TimeRange range() const;
};

// One column of the grid for drawing: the records that begin in it and are narrower than the
// caller's `wide_from` (the others are listed apart, see Wide).
struct Cell {
  uint32_t begins = 0;  // how many begin here (saturating)
  // The type with the most busy time (rows without durations: with the most records) among those
  // that begin here; where none begins, the carried one's. None where the cell is empty.
  EventTypeId type = EventTypeId::none();
  // Ticks covered by narrow states, exact. Punctual events, links and samples: 0.
  int64_t busy = 0;
  // The type has at least share/255 of the weight, and no other has more than rest/255. rest is 0
  // exactly when all are of one type.
  uint8_t share = 0;
  uint8_t rest = 0;
  bool is_carried = false;  // a narrow state that began in an earlier column reaches into this one
  // Variables: over the samples here; where there are none, all three are the value carried in.
  float min_value = 0, max_value = 0;
  double last_value = 0;  // exact: it is said, not only drawn
  // Of those that begin here: the first begin, the last one's begin and end; of a value carried in:
  // all three the time of its sample.
  Time first_begin, last_begin, last_end;

  bool is_empty() const { return begins == 0 && !is_carried; }
};
static_assert(sizeof(Cell) <= 64);

// A state at least as long as the caller's `wide_from`, to be drawn by itself.
struct Wide {
  Time begin;
  Duration duration;
  EventTypeId type;
};

// Fills `cells` (span.count of them) and appends to `wides` every wide state that overlaps the
// span, in order of begin. `wide_from` must be at least 2^level: at most one wide state begins in a
// cell. Every record of the row that lies in the span is in exactly one cell's `begins` or in
// `wides`.
void cells(const store::Row& row, GridSpan span, Duration wide_from, std::span<Cell> cells,
           std::vector<Wide>& wides, ReadCount* reads = nullptr);

// One column of any width, exact.
struct Column {
  uint64_t count = 0;                      // states that overlap it (an instant: that lie in it)
  int64_t busy = 0;                        // their overlap, in ticks
  EventTypeId type = EventTypeId::none();  // most busy time; ties: more records, then the lower id
  int64_t type_busy = 0;                   // of that type
};

// `range` cut into `count` equal columns; count must divide the length. Exact in every field: where
// the tree cannot prove the dominant type it descends as far as it must.
std::vector<Column> columns(const store::Row& row, TimeRange range, uint32_t count,
                            ReadCount* reads = nullptr);

// The same for one range, with every type in it, most busy first.
struct TypeShare {
  EventTypeId type;
  uint64_t count = 0;
  int64_t busy = 0;
};
struct Summary {
  uint64_t count = 0;
  int64_t busy = 0;
  int64_t longest = 0;  // whole lengths, not clipped; of links: from send to receive
};
// O(log n): exact count, busy and longest.
Summary summarize(const store::Row& row, TimeRange range, ReadCount* reads = nullptr);
// O(records in range): for tooltips over small ranges; stops after `max_records` and says so.
struct TypeShares {
  std::vector<TypeShare> types;
  bool is_complete = true;
};
TypeShares types_in(const store::Row& row, TimeRange range, uint64_t max_records);

// The part that holds `time`, of `count` parts of `range` that begin at range.begin +
// i·length/count (integer division in 128 bits): the last one that begins no later.
inline uint32_t bin_of(Time time, TimeRange range, uint32_t count) {
  const auto distance = [&](Time t) {
    return static_cast<uint64_t>(t.ticks) - static_cast<uint64_t>(range.begin.ticks);
  };
  // The largest i with floor(i·length/count) <= time - begin.
  const uint64_t next = distance(time) + 1;
  const uint64_t length = distance(range.end);
  uint64_t product = 0;
  if (!__builtin_mul_overflow(next, uint64_t{count}, &product))
    return static_cast<uint32_t>((product - 1) / length);
  return static_cast<uint32_t>((static_cast<unsigned __int128>(next) * count - 1) / length);
}

// Adds to bins[i] the records that begin in the i-th of bins.size() parts of `range`, see bin_of().
// Exact; sums to the records that begin in the range.
void density(const store::Row& row, TimeRange range, std::span<uint64_t> bins,
             ReadCount* reads = nullptr);

}  // namespace weft::aggregate
