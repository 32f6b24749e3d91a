// All events of a selection in order of time, whatever rows they lie in: a k-way merge over the
// rows, or the parts of growing ones, which overlap in time, with lazy cursors. None is read before
// the merge reaches its first event, and then by blocks, so the first ten events of a trace of any
// size cost a few blocks.
//
// Order: by begin; at one time as the rows are shown (lanes from the top, outer states before inner
// ones). A state that overlaps the range's begin comes at its own begin, before the range.
//
// Cost: O(log rows) per event; memory O(rows), and about 64 bytes for each record read ahead, of
// which there are `read_ahead` at most plus one block per row.
#pragma once

#include <cstdint>
#include <vector>

#include "core/query/selection.h"
#include "core/store/trace.h"

namespace weft::query {

struct Event {
  const store::Row* row;
  const store::Record* record;
};

class EventStream {
 public:
  // `reads_all` announces that most events will be read, so rows need not be read in small steps
  // first.
  EventStream(store::TracePtr trace, Selection selection, size_t read_ahead = size_t{1} << 20,
              bool reads_all = false);

  // Sets the next event; returns false at the end. Its pointers are valid until the next call.
  bool next(Event& event);

 private:
  // Reads one part of a row from front to back. Its position is a time and the number of records of
  // that time already passed, so the store need not keep one.
  struct Cursor {
    const store::Row* row = nullptr;
    size_t part = 0;
    RowSelection events;
    std::vector<store::Record> records{};  // read ahead
    size_t at = 0;                         // index of the next record to give out
    size_t read_ahead = 1;
    bool is_begun = false;
    bool is_at_end = false;
    Time passed_until{};
    uint64_t passed_there = 0;
  };
  struct Entry {
    Time time;  // of the cursor's next event; before the first read, a lower bound
    uint32_t cursor;
    auto operator<=>(const Entry&) const = default;
  };

  void refill(Cursor& cursor) const;
  void settle_top();  // restores the heap after its top's time grew

  store::TracePtr trace_;
  Selection selection_;
  size_t max_read_ahead_;
  std::vector<Cursor> cursors_;  // in the order of rows and their parts
  std::vector<Entry> heap_;      // least first
  bool has_given_top_ = false;   // the top's current record was given out by the last next()
};

}  // namespace weft::query
