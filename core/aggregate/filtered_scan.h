// Scans a row for records that pass a filter, skipping what cannot: subtrees by their nodes (times,
// type, longest duration), blocks by the bounds of their columns.
//
// Cost: begin, duration and type are unpacked for every record not skipped, the other columns only
// for blocks in which candidates remain.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <stop_token>

#include "core/aggregate/filter.h"
#include "core/store/trace.h"

namespace weft::aggregate {

// Records that pass, and their indices in their part.
struct PassingRecords {
  std::span<const store::Record> records;
  std::span<const uint64_t> indices;
  uint32_t part = 0;
};

// What a scan read.
struct ScanCount {
  uint64_t nodes = 0;
  uint64_t records = 0;  // whose begin, duration and type were unpacked
};

enum class ScanOrder : uint8_t { kForwards, kBackwards };

// Calls body() with the records that pass and overlap `range` (instants: lie in it), at most 128 at
// a time, until it returns false: part by part, in ascending or descending order of begin. Returns
// false if body() ended the scan or it was stopped.
bool for_each_passing(const store::Row& row, const RowFilter& filter, TimeRange range,
                      ScanOrder order, const std::function<bool(const PassingRecords&)>& body,
                      const std::stop_token& stop = {}, ScanCount* count = nullptr);

// Records [first, end) of a part.
struct RecordRun {
  uint64_t first = 0;
  uint64_t end = 0;
};

// The same for a run of records of one part, forwards, whatever their times.
bool for_each_passing(const store::Row& row, uint32_t part, RecordRun records,
                      const RowFilter& filter,
                      const std::function<bool(const PassingRecords&)>& body,
                      const std::stop_token& stop = {});

}  // namespace weft::aggregate
