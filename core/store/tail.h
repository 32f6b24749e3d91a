// The growing end of a trace: events in memory, in the order in which they came, until they are
// sealed into a segment.
#pragma once

#include <cstdint>
#include <vector>

#include "core/base/thread_pool.h"
#include "core/store/lane_writer.h"
#include "core/store/slab_writer.h"
#include "core/store/trace.h"

namespace weft::store {

class Tail {
 public:
  void add(LaneId lane, RowKind kind, const Record& record) {
    entries_.push_back({record, lane, kind});
  }
  size_t size() const { return entries_.size(); }
  void reserve(size_t events) { entries_.reserve(events); }
  static constexpr size_t kBytesPerEvent = sizeof(Record) + 8;

  // Sorts, nests and encodes everything; lanes in parallel. Empties the tail.
  void seal(SegmentUse use, uint32_t lanes, ThreadPool& pool, FileEnd& file, SegmentDraft& draft);

 private:
  struct Entry {
    Record record;
    LaneId lane;
    RowKind kind;
  };
  static_assert(sizeof(Entry) == kBytesPerEvent);

  std::vector<Entry> entries_;
};

}  // namespace weft::store
