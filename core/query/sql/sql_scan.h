// Scans of events: their bounds, and the parts of rows that may match.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "core/store/segment.h"
#include "core/store/trace.h"

namespace weft::query {

// An inclusive range; unbounded by default.
struct Between {
  int64_t least = std::numeric_limits<int64_t>::min();
  int64_t most = std::numeric_limits<int64_t>::max();
  bool contains(int64_t value) const { return value >= least && value <= most; }
  void narrow(Between other) {
    least = std::max(least, other.least);
    most = std::min(most, other.most);
  }
};

struct ScanBounds {
  Between begin, end, duration, depth, lane, type;
  bool wants_states_only = false;  // a property that only states have is bounded
  bool wants_sent_links_only = false;
};

struct ScannedPart {
  const store::Row* row;
  const store::RowPart* part;  // of the row
  uint64_t first_id;           // id of the part's first record within the trace
};

// Reads the records of one part of a row from front to back, a block at a time.
class PartScan {
 public:
  PartScan(const ScannedPart& part, const ScanBounds& bounds);

  bool is_at_end() const { return at_ == read_.size() && index_ >= end_; }
  // Valid unless at the end:
  const store::Record& record() const { return read_[at_]; }
  const store::Row& row() const { return *of_.row; }
  uint64_t id() const { return of_.first_id + index_ - (read_.size() - at_); }
  void next() {
    if (++at_ >= read_.size()) read_on();
  }
  // Advances to the first record within the bounds, starting with the current one.
  void settle(const ScanBounds& bounds);

 private:
  void read_on();

  ScannedPart of_;
  uint64_t index_ = 0;  // of the first record not yet read
  uint64_t end_ = 0;
  std::vector<store::Record> read_;
  size_t at_ = 0;
};

}  // namespace weft::query
