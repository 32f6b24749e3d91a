// All events of a selection in order of time, whatever rows they lie in: a k-way merge over the
// rows with lazy cursors. A row is not read before the merge reaches its first event, and then by
// blocks, so the first ten events of a trace of any size cost a few blocks.
//
// Order: by begin; at one time as the rows are shown (lanes from the top, outer states before inner
// ones). A state that overlaps the range's begin comes at its own begin, before the range.
//
// Cost: O(log rows) per event; memory O(rows), and about 64 bytes for each record read ahead, of
// which there are `read_ahead` at most plus one block per row.
#pragma once

#include <cstdint>
#include <memory>
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
  // `reads_all`: few will be left unread, so that rows are not read in small steps first.
  EventStream(std::shared_ptr<const store::Trace> trace, Selection selection,
              size_t read_ahead = size_t{1} << 20, bool reads_all = false);

  // False at the end. The event's pointers are valid until the next call.
  bool next(Event& event);

 private:
  // Reads one row from front to back. Where it stands is a time and how many records of that time
  // it has passed: the store needs no position to go on from.
  struct Cursor {
    const store::Row* row = nullptr;
    RowSelection events;
    std::vector<store::Record> records{};  // read ahead
    size_t at = 0;                         // of `records`: the next to give out
    size_t read_ahead = 1;
    bool is_begun = false;
    bool is_at_end = false;
    Time passed_until{};
    uint64_t passed_there = 0;
  };
  struct Entry {
    Time time;  // of the cursor's next event; before it has read: no later than that
    uint32_t cursor;
    auto operator<=>(const Entry&) const = default;
  };

  void refill(Cursor& cursor) const;
  void settle_top();  // restores the heap after its top's time grew

  std::shared_ptr<const store::Trace> trace_;
  Selection selection_;
  size_t max_read_ahead_;
  std::vector<Cursor> cursors_;  // in the order of rows
  std::vector<Entry> heap_;      // least first
  bool has_given_top_ = false;   // the top's current record was given out by the last next()
};

}  // namespace weft::query
