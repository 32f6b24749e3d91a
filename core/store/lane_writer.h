// Writes one lane's events into a segment: nests states, splits variables, encodes every row.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "core/base/flat_index.h"
#include "core/base/large_vector.h"
#include "core/base/thread_pool.h"
#include "core/store/nesting.h"
#include "core/store/overlaps.h"
#include "core/store/row_encoder.h"
#include "core/store/segment.h"
#include "core/store/slab_writer.h"
#include "core/store/totals.h"

namespace weft::store {

// A segment under construction, filled by several lane writers. Thread-safe.
class SegmentDraft {
 public:
  // `zero` is the empty grid of totals that each lane writer starts from; without cells nothing is
  // counted.
  explicit SegmentDraft(Totals zero = {}) : zero_(std::move(zero)), totals_(zero_) {}

  const Totals& zero() const { return zero_; }
  void add(const Totals& totals);
  void add(LaneId lane, RowKind kind, uint32_t key, const EncodedRow& row);
  void add_overlaps(const StatesOfLane& states);
  void add_refused(const StatesOfLane& states);
  // States that overlap without nesting, and those for which there was no row: in order of lane.
  std::vector<StatesOfLane> overlaps() const;
  std::vector<StatesOfLane> refused() const;
  // Take the result, rows in order of lane, kind and key. They end the draft.
  LargeVector<SegmentRow> take_rows();
  std::vector<TableRef> take_lists();
  const Totals& totals() const { return totals_; }  // complete once every writer has finished

 private:
  const Totals zero_;
  std::mutex mutex_;
  Totals totals_;
  LargeVector<SegmentRow> rows_;
  std::vector<TableRef> lists_;
  std::vector<StatesOfLane> overlaps_, refused_;
};

// The purpose of a segment. States in kRun and kGrowing keep StateEvent::nesting for the merge.
enum class SegmentUse {
  kRun,      // only to be merged: one sorted row per lane and kind, no forest
  kGrowing,  // to be viewed, then merged: rows as far as its own events tell
  kFinal
};

// The writer of one worker; its buffers serve one lane after another.
class LaneWriter {
 public:
  LaneWriter(SegmentUse use, SegmentDraft& draft, FileEnd& file)
      : use_(use), draft_(&draft), out_(file), totals_(draft.zero()) {}
  ~LaneWriter() { draft_->add(totals_); }
  LaneWriter(const LaneWriter&) = delete;
  LaneWriter& operator=(const LaneWriter&) = delete;

  // The buffer for the next slice's records, in any order.
  std::vector<Record>& slice() { return slice_; }
  // Writes the slice: records of one kind of one lane. Slices must come in order: none may hold a
  // record that begins before one of an earlier slice. `is_last` ends the kind; end it before
  // starting another. Until then each row in it needs memory.
  void add(LaneId lane, RowKind kind, bool is_last);
  // Rows of the current kind that are still open.
  size_t open_rows() const { return open_.size(); }

 private:
  void find_keys(RowKind kind);
  void find_depths();
  void split(RowKind kind);
  bool waits(size_t key, std::span<const Record> records, bool is_last);
  RowEncoder& encoder_of(RowKind kind, size_t key, bool is_last);
  void end_kind(LaneId lane);

  SegmentUse use_;
  SegmentDraft* draft_;
  SlabWriter out_;
  Totals totals_;
  Nesting nesting_;
  FlatIndex<uint32_t, NumberHash> variables_;  // type → key, in order of appearance
  RowEncoder single_;
  // A row between slices: its encoder or, while it has few records, these, which take less.
  static constexpr uint32_t kNone = UINT32_MAX;
  static constexpr uint32_t kFew = 4;
  struct OpenRow {
    std::unique_ptr<RowEncoder> encoder;
    uint32_t first = kNone, last = kNone;  // in waiting_
    uint32_t records = 0;
  };
  struct Waiting {
    Record record;
    uint32_t next = kNone;  // of the same row
  };
  LargeVector<OpenRow> open_;  // by key
  LargeVector<Waiting> waiting_;
  std::vector<Record> slice_;    // sorted while it is written
  std::vector<Record> scratch_;  // for sorting it
  // Per record of the slice: depth, or number of the variable. Those that have none are not in it.
  std::vector<uint32_t> keys_;
  std::vector<Record> rows_;  // the slice's records, grouped by key
  LargeVector<size_t> ends_;  // where each key ends in rows_
};

// Calls body(writer, i) for every i < `count` on all cores, each with its own writer.
void for_each_lane(size_t count, SegmentUse use, ThreadPool& pool, FileEnd& file,
                   SegmentDraft& draft, const std::function<void(LaneWriter&, size_t)>& body);

}  // namespace weft::store
