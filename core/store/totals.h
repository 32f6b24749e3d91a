// The number of events that begin in each cell of a coarse time grid, over all rows: the overview
// of a whole trace, known without reading a row. Stored in finished files (docs/weft-format.md).
//
// A link counts at its send or, if that is missing, at its receive.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/base/time.h"
#include "core/store/trace.h"

namespace weft::store {

// Cells of the absolute grid: counts[i] covers [(first + i)·2^level, (first + i + 1)·2^level).
struct Totals {
  static constexpr uint64_t kMostCells = 4096;
  static constexpr uint64_t kEventsPerCell =
      256;  // at least, so that small traces make small files

  int level = 0;
  int64_t first = 0;
  std::vector<uint64_t> counts;  // empty: unknown

  // Returns a grid of zeros for a trace with `events` events; empty if these are too few.
  static Totals over(TimeRange range, uint64_t events);

  // Counts records; those outside the range are in no cell.
  void add(RowKind kind, std::span<const Record> records);
  void add(const Totals& others);

  // Returns the counts of `bins` equal parts of the range; empty if a boundary falls inside a cell.
  std::vector<uint64_t> over_bins(TimeRange range, uint32_t bins) const;

  bool operator==(const Totals&) const = default;
};

}  // namespace weft::store
