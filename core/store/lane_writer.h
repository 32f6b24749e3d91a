// Writes one lane's events into a segment: nests states, splits variables, encodes every row.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "core/base/thread_pool.h"
#include "core/store/nesting.h"
#include "core/store/overlaps.h"
#include "core/store/row_encoder.h"
#include "core/store/segment.h"
#include "core/store/slab_writer.h"
#include "core/store/totals.h"

namespace weft::store {

// What a segment will consist of; filled by several lane writers.
class SegmentDraft {
 public:
  // `zero`: what each lane writer counts in; empty: they do not.
  explicit SegmentDraft(Totals zero = {}) : zero_(std::move(zero)), totals_(zero_) {}

  const Totals& zero() const { return zero_; }
  void add(const Totals& totals);
  void add(LaneId lane, RowKind kind, uint32_t key, const EncodedRow& row);
  void add(const Overlaps& overlaps);
  std::vector<Overlaps> overlaps() const;  // by lane
  // By lane, kind and key. Ends the draft.
  std::vector<SegmentRow> take_rows();
  std::vector<TableRef> take_lists();
  const Totals& totals() const { return totals_; }  // when all have been added

 private:
  const Totals zero_;
  std::mutex mutex_;
  Totals totals_;
  std::vector<SegmentRow> rows_;
  std::vector<TableRef> lists_;
  std::vector<Overlaps> overlaps_;
};

// What a segment is for. States of the first two keep StateEvent::nesting, for the merge.
enum class SegmentUse {
  kRun,      // to be merged only: a lane's events of one kind are one row, sorted, without a forest
  kGrowing,  // to be looked at, then merged: rows as far as the segment's own events tell
  kFinal
};

// One worker's writer: its buffers serve one lane after another.
class LaneWriter {
 public:
  LaneWriter(SegmentUse use, SegmentDraft& draft, FileEnd& file)
      : use_(use), draft_(&draft), out_(file), totals_(draft.zero()) {}
  ~LaneWriter() { draft_->add(totals_); }
  LaneWriter(const LaneWriter&) = delete;
  LaneWriter& operator=(const LaneWriter&) = delete;

  // Where the records of the next slice go, in any order.
  std::vector<Record>& slice() { return slice_; }
  // Takes a lane's records of one kind, in slices, none with a record that begins before one of the
  // slice before; `is_last` ends the kind, before another begins. Each row of a slice that is not
  // the last needs memory until then.
  void add(LaneId lane, RowKind kind, bool is_last);
  // Of the kind that is not at its end.
  size_t open_rows() const { return open_.size(); }

 private:
  void find_keys(RowKind kind, std::span<const Record> sorted);
  void split(RowKind kind, std::span<const Record> sorted);
  RowEncoder& encoder_of(RowKind kind, size_t key, bool is_last);
  void end_kind(LaneId lane);

  SegmentUse use_;
  SegmentDraft* draft_;
  SlabWriter out_;
  Totals totals_;
  Nesting nesting_;
  std::map<uint32_t, uint32_t> variables_;  // type → key, in order of appearance
  RowEncoder single_;
  std::vector<std::unique_ptr<RowEncoder>> open_;  // by key, while slices come
  std::vector<Record> slice_;
  std::vector<Record> scratch_;  // for sorting it
  std::vector<uint32_t> keys_;   // of the slice's records: depth, or which variable
  std::vector<Record> rows_;     // the slice's records, one key behind the other
  std::vector<size_t> ends_;     // of each key in rows_
};

// Calls body(writer, i) for every i below `count`, on all cores, each with a writer of its own.
void for_each_lane(size_t count, SegmentUse use, ThreadPool& pool, FileEnd& file,
                   SegmentDraft& draft, const std::function<void(LaneWriter&, size_t)>& body);

}  // namespace weft::store
