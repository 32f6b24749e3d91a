// How many events begin in each cell of a coarse time grid, all rows together: what an overview of
// a whole trace shows, known without reading a row. A finished file has them (docs/weft-format.md).
//
// A link counts where it is sent, or, where its send is missing, where it is received.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/base/time.h"
#include "core/store/trace.h"

namespace weft::store {

// Cells of the absolute grid: counts[i] is of [(first + i)·2^level, (first + i + 1)·2^level).
struct Totals {
  static constexpr uint64_t kMostCells = 4096;
  static constexpr uint64_t kEventsPerCell =
      256;  // at least: the file of a small trace stays small

  int level = 0;
  int64_t first = 0;
  std::vector<uint64_t> counts;  // empty: they are not known

  // All zero, for a trace of so many events; empty where it has too few.
  static Totals over(TimeRange range, uint64_t events);

  // Records that are not in the range are in no cell.
  void add(RowKind kind, std::span<const Record> records);
  void add(const Totals& others);

  // Of `bins` equal parts of the range; empty where some of them end within a cell.
  std::vector<uint64_t> over_bins(TimeRange range, uint32_t bins) const;

  bool operator==(const Totals&) const = default;
};

}  // namespace weft::store
