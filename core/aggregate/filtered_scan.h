// Reads the records of a row that pass a filter, and skips what cannot: subtrees by what their
// nodes know (times, type, longest duration), blocks by the bounds of their columns.
#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "core/aggregate/filter.h"
#include "core/store/trace.h"

namespace weft::aggregate {

struct ScanCount {
  uint64_t records = 0;  // that were decoded
  uint64_t blocks = 0;
};

// Records that pass, and where they lie in their part.
struct PassingBlock {
  std::span<const store::Record> records;
  std::span<const uint64_t> indices;
  uint32_t part = 0;
};

// Calls body(block) for the records that pass and overlap `range` (instants: lie in it), in order
// of begin within each part of the row, until it returns false. At most 128 records a call.
void for_each_passing(const store::Row& row, const RowFilter& filter, TimeRange range,
                      const std::function<bool(const PassingBlock&)>& body,
                      ScanCount* count = nullptr);
// The same from the end: blocks, and the records in them, last first.
void for_each_passing_backwards(const store::Row& row, const RowFilter& filter, TimeRange range,
                                const std::function<bool(const PassingBlock&)>& body,
                                ScanCount* count = nullptr);

}  // namespace weft::aggregate
