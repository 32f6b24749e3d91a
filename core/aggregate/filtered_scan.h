// Reads the records of a row that pass a filter, and skips what cannot: subtrees by what their
// nodes know (times, type, longest duration), blocks by the bounds of their columns.
//
// Cost: of what is not skipped, begin, duration and type of every record are unpacked, the rest
// only of blocks in which these leave something.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <stop_token>

#include "core/aggregate/filter.h"
#include "core/store/trace.h"

namespace weft::aggregate {

// Records that pass, and where they lie in their part.
struct PassingRecords {
  std::span<const store::Record> records;
  std::span<const uint64_t> indices;
  uint32_t part = 0;
};

// What a scan read.
struct ScanCount {
  uint64_t nodes = 0;
  uint64_t records = 0;  // begin, duration and type of them
};

enum class ScanOrder : uint8_t { kForwards, kBackwards };

// Calls body() for the records that pass and overlap `range` (instants: lie in it), at most 128 at
// a time, until it returns false: part by part, in order of begin or against it. False where body()
// ended it, or it was stopped.
bool for_each_passing(const store::Row& row, const RowFilter& filter, TimeRange range,
                      ScanOrder order, const std::function<bool(const PassingRecords&)>& body,
                      const std::stop_token& stop = {}, ScanCount* count = nullptr);

// Records [first, end) of a part.
struct RecordRun {
  uint64_t first = 0;
  uint64_t end = 0;
};

// The same of some records of one part, forwards, whenever they are.
bool for_each_passing(const store::Row& row, uint32_t part, RecordRun records,
                      const RowFilter& filter,
                      const std::function<bool(const PassingRecords&)>& body,
                      const std::stop_token& stop = {});

}  // namespace weft::aggregate
