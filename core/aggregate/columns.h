// Queries of a row's aggregation tree: what the row looks like from afar.
//
// The tree (core/store/forest.h) is stored beside the blocks it summarises; opening builds nothing.
// All functions are thread-safe, cost O(columns + log n) for a row of n records, and may touch
// mapped pages: call them from workers.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/base/time.h"
#include "core/base/time_span.h"
#include "core/store/trace.h"

namespace weft::aggregate {

// What a query read. Inner nodes and groups of records below leaves both count as nodes; the bound
// to hold is 4 nodes per column at any zoom and any size.
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

// One column of the grid for drawing: the records that begin in it and are shorter than the
// caller's `wide_from`. Longer ones are listed apart (see Wide).
struct Cell {
  uint32_t begins = 0;  // records that begin here (saturating)
  // The dominant type among the records that begin here: most busy time or, in rows without
  // durations, most records. If none begins, the type of the carried one; none() if the cell is
  // empty.
  EventTypeId type = EventTypeId::none();
  // Ticks covered by narrow states, exact. Punctual events, links and samples: 0.
  int64_t busy = 0;
  // `type` has at least share/255 of the weight, and no other type more than rest/255. `rest` is 0
  // exactly if there is only one type.
  uint8_t share = 0;
  uint8_t rest = 0;
  bool is_carried = false;  // a narrow state that began in an earlier column reaches into this one
  // Variables: over the samples here or, without any, the value carried in.
  float min_value = 0, max_value = 0;
  double last_value = 0;  // exact: shown as text, not only drawn
  // Of the records that begin here: the first begin, and begin and end of the last. For a value
  // that is carried in, all three are the time of its sample.
  Time first_begin, last_begin, last_end;

  bool is_empty() const { return begins == 0 && !is_carried; }
};
static_assert(sizeof(Cell) <= 64);

// A state of at least the caller's `wide_from`, to be drawn individually.
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
  uint64_t count = 0;                      // states that overlap it; instants: that lie in it
  int64_t busy = 0;                        // total overlap in ticks
  EventTypeId type = EventTypeId::none();  // dominant by busy time; ties: more records, then the
                                           // lower id
  int64_t type_busy = 0;                   // of `type`
};

// Divides `range` into `count` equal columns; `count` must divide its length. Exact in every field:
// where the tree cannot prove the dominant type, the query descends as far as necessary.
std::vector<Column> columns(const store::Row& row, TimeRange range, uint32_t count);

// One type's share of a range.
struct TypeShare {
  EventTypeId type;
  uint64_t count = 0;
  int64_t busy = 0;
};
struct Summary {
  uint64_t count = 0;
  int64_t busy = 0;
  int64_t longest = 0;  // unclipped; links: from send to receive
};
// Returns exact count, busy time and longest duration. O(log n).
Summary summarize(const store::Row& row, TimeRange range);
// Returns every type in `range`, most busy first, for tooltips over small ranges. O(records in
// range); stops after `max_records` and then sets is_complete to false.
struct TypeShares {
  std::vector<TypeShare> types;
  bool is_complete = true;
};
TypeShares types_in(const store::Row& row, TimeRange range, uint64_t max_records);

// Returns which of `count` parts of `range` holds `time`. Part i begins at range.begin +
// i·length/count (integer division in 128 bits).
inline uint32_t bin_of(Time time, TimeRange range, uint32_t count) {
  // The largest i with floor(i·length/count) <= time - begin.
  const uint64_t next = distance(range.begin, time) + 1;
  const uint64_t length = length_of(range);
  uint64_t product = 0;
  if (!__builtin_mul_overflow(next, uint64_t{count}, &product))
    return static_cast<uint32_t>((product - 1) / length);
  return static_cast<uint32_t>((static_cast<unsigned __int128>(next) * count - 1) / length);
}

// Adds to bins[i] the number of records that begin in part i of `range`, as given by bin_of().
// Exact: the bins sum to the records that begin in `range`.
void density(const store::Row& row, TimeRange range, std::span<uint64_t> bins);

}  // namespace weft::aggregate
