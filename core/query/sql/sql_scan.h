// What a scan of events passes over: bounds, and the parts of rows that may lie within them.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "core/store/segment.h"
#include "core/store/trace.h"

namespace weft::query {

// Inclusive; nothing given: everything.
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
  bool wants_states_only = false;  // what only states have is bounded
  bool wants_sent_links_only = false;
};

struct ScannedPart {
  const store::Row* row;
  const store::RowPart* part;  // of it
  uint64_t first_id;           // numbers the part's records among all of the trace
};

// The records of one part of a row, from front to back, a block at a time.
class PartScan {
 public:
  PartScan(const ScannedPart& part, const ScanBounds& bounds);

  bool is_at_end() const { return at_ == read_.size() && index_ >= end_; }
  // Not at the end:
  const store::Record& record() const { return read_[at_]; }
  const store::Row& row() const { return *of_.row; }
  uint64_t id() const { return of_.first_id + index_ - (read_.size() - at_); }
  void next() {
    if (++at_ >= read_.size()) read_on();
  }
  // To the first record within the bounds, from here on.
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
