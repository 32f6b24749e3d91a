// Which events a query is about: those that pass a filter, in a range of time.
//
// A selection is a plain value that belongs to the trace it was made for; filters.h makes one of
// what users say.
//
// What lies in a range [begin, end): a state that overlaps it (a state without length: that begins
// in it); a punctual event or a sample whose time lies in it; a link whose send lies in it, or,
// where the send is missing, whose receive does. An event is on the lane it begins on: a link on
// the lane that sends, or on the one that receives where the send is missing.
#pragma once

#include "core/aggregate/filter.h"
#include "core/base/time.h"
#include "core/store/trace.h"
#include "core/trace/model.h"

namespace weft::query {

using aggregate::category_of;
using aggregate::is_link;

// The trace's range, one tick longer where an event begins at its very end: everything lies in it.
TimeRange whole_range(const store::Trace& trace);

inline bool lies_in(const store::Row& row, const store::Record& record, TimeRange range) {
  if (record.begin >= range.end) return false;
  return record.begin >= range.begin ||
         (row.kind == store::RowKind::kState && record.end() > range.begin);
}

// The events of one row that pass the filter, whatever their time. Every link is counted once: on
// its way out, or, where its send is missing, on its way in.
class RowSelection {
 public:
  RowSelection(const aggregate::Filter& filter, const store::Trace& trace, const store::Row& row)
      : filter_(filter.for_row(trace, row)), comes_in_(row.kind == store::RowKind::kLinkIn) {}

  bool takes_nothing() const { return filter_.passes_none(); }
  bool takes_all() const { return filter_.passes_all() && !comes_in_; }
  bool takes(const store::Record& record) const {
    return !(comes_in_ && !record.peer.is_none()) && filter_.passes(record);
  }
  const aggregate::RowFilter& filter() const { return filter_; }

 private:
  aggregate::RowFilter filter_;
  bool comes_in_;
};

struct Selection {
  aggregate::FilterPtr filter;  // never null
  TimeRange range;

  static Selection all(const store::Trace& trace);
  RowSelection of(const store::Trace& trace, const store::Row& row) const {
    return {*filter, trace, row};
  }
  // Leaves out what does not pass `formula`.
  void narrow(const store::Trace& trace, const aggregate::FormulaPtr& formula);
};

}  // namespace weft::query
