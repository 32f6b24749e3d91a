// Splits rows into time windows with about the same number of records, so that a scan can be shared
// among threads and its records stay in the cache, however unevenly they are distributed.
//
// The windows of one scan are disjoint and cover its range. A record that crosses a border appears
// in each window it overlaps, but is owned by exactly one: the window it begins in, or the first
// one if it begins before the range.
#pragma once

#include <functional>
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

// Appends the windows of `rows`, which are read together, over `range`. Cost: one look-up per
// `records` records.
void append_windows(const store::Trace& trace, std::span<const store::Row> rows, TimeRange range,
                    std::vector<Window>& windows, uint64_t records = kWindowRecords);

// Returns windows over each lane's rows of states, outermost first, read together; lanes from which
// the selection takes nothing are left out.
std::vector<Window> state_windows(const store::Trace& trace, const Selection& selection);

// Returns windows over each row of the kinds that `is_read` takes, alone; rows from which the
// selection takes nothing are left out.
std::vector<Window> row_windows(const store::Trace& trace, const Selection& selection,
                                const std::function<bool(store::RowKind)>& is_read);

}  // namespace weft::query
