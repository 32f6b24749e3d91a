// What filters compile to for one trace: allowed categories, lanes and types, and a time range.
//
// A selection is a plain value of O(lanes + types) bytes; it belongs to the trace it was made for.
// Filters only ever narrow it (filters.h).
//
// What lies in a range [begin, end): a state that overlaps it (a state without length: that begins
// in it); a punctual event or a sample whose time lies in it; a link whose send lies in it, or,
// where the send is missing, whose receive does. An event is on the lane it begins on: a link on
// the lane that sends, or on the one that receives where the send is missing.
#pragma once

#include <array>
#include <vector>

#include "core/base/time.h"
#include "core/store/trace.h"
#include "core/trace/model.h"

namespace weft::query {

trace::Category category_of(store::RowKind kind);

// The trace's range, one tick longer where an event begins at its very end: everything lies in it.
TimeRange whole_range(const store::Trace& trace);

inline bool lies_in(const store::Row& row, const store::Record& record, TimeRange range) {
  if (record.begin >= range.end) return false;
  return record.begin >= range.begin ||
         (row.kind == store::RowKind::kState && record.end() > range.begin);
}

struct Selection {
  std::array<bool, trace::kCategoryCount> categories;
  std::vector<bool> lanes;  // by LaneId
  std::vector<bool> types;  // by EventTypeId
  bool has_all_types = true;
  TimeRange range;

  static Selection all(const store::Trace& trace);

  // False where no event of the row can be in the selection.
  bool allows(const store::Row& row) const;
  // For records of a row that is allowed. Every link is counted once: on its way out, or, where its
  // send is missing, on its way in. The range is not looked at.
  bool allows(const store::Row& row, const store::Record& record) const {
    if (row.kind == store::RowKind::kLinkIn && !record.peer.is_none()) return false;
    return has_all_types || allows(record.type);
  }
  bool allows(EventTypeId type) const {
    return has_all_types || (type.value() < types.size() && types[type.value()]);
  }
};

}  // namespace weft::query
