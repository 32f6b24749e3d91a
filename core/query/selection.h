// Selects the events of a query: those that pass a filter, in a range of time.
//
// A selection is a plain value that belongs to the trace it was made for; filters.h makes one from
// user input.
//
// A range [begin, end) contains the states that overlap it (states without length: that begin in
// it), the punctual events and samples whose time lies in it, and the links whose send (if missing,
// receive) lies in it. An event belongs to the lane it begins on: a link to its sender or, if the
// send is missing, its receiver.
#pragma once

#include "core/aggregate/filter.h"
#include "core/base/time.h"
#include "core/store/trace.h"
#include "core/trace/model.h"

namespace weft::query {

using aggregate::is_link;
using store::category_of;

// Returns the trace's range, one tick longer if an event begins at its very end, so that it
// contains every event.
TimeRange whole_range(const store::Trace& trace);

inline bool lies_in(const store::Row& row, const store::Record& record, TimeRange range) {
  if (record.begin >= range.end) return false;
  return record.begin >= range.begin ||
         (row.kind == store::RowKind::kState && record.end() > range.begin);
}

// The events of one row that pass the filter, whatever their time. Every link counts once: in the
// row of its send or, if that is missing, of its receive.
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
  // Restricts the selection to events that pass `formula`.
  void narrow(const store::Trace& trace, const aggregate::FormulaPtr& formula);
};

}  // namespace weft::query
