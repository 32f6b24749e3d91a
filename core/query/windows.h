// Cuts rows into windows of time that hold about the same number of records, so that a scan can be
// shared among threads and its records stay in the cache, however unevenly they lie in time.
//
// The windows of one scan are disjoint and cover its range. A record that reaches over a border
// appears in each window it overlaps; it is owned by exactly one: the window it begins in, or the
// first one where it begins before the range.
#pragma once

#include <span>
#include <vector>

#include "core/query/selection.h"
#include "core/store/trace.h"

namespace weft::query {

struct Window {
  std::span<const store::Row> rows;
  TimeRange range;
  bool is_first = false;

  bool owns(const store::Record& record) const {
    return record.begin < range.end && (record.begin >= range.begin || is_first);
  }
};

// Records per row and window.
inline constexpr uint64_t kWindowRecords = 16 * 1024;

// Appends the windows of `rows`, read together, over `range`. Cost: one record in kWindowRecords.
void append_windows(const store::Trace& trace, std::span<const store::Row> rows, TimeRange range,
                    std::vector<Window>& windows);

}  // namespace weft::query
