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

// Records per row and window, for rows that are read together.
inline constexpr uint64_t kWindowRecords = uint64_t{32} << 10;

// Appends the windows of `rows`, read together, over `range`. Cost: one record in `records`.
void append_windows(const store::Trace& trace, std::span<const store::Row> rows, TimeRange range,
                    std::vector<Window>& windows, uint64_t records = kWindowRecords);

// Of each lane the rows of states, outermost first, read together; lanes of which the selection
// takes nothing are left out.
std::vector<Window> state_windows(const store::Trace& trace, const Selection& selection);

}  // namespace weft::query
