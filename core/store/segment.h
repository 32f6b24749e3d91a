// An immutable piece of a trace: packed records and forests over mapped bytes.
//
// A finished .weft is one segment; a growing trace is several, over its spill file. Pages of files
// are checked against their checksums when first touched; what lies in damaged ones is left out and
// noted, so that a bad file gives an answer or an error, never a crash. Thread-safe.
#pragma once

#include <algorithm>
#include <atomic>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "core/base/large_vector.h"
#include "core/io/mapped_file.h"
#include "core/store/file_format.h"
#include "core/store/forest.h"
#include "core/store/packed.h"
#include "core/store/trace.h"

namespace weft::store {

struct SegmentRow {
  LaneId lane;
  RowKind kind = RowKind::kState;
  uint32_t key = 0;  // states: depth; variables: type
  int64_t first_begin = 0;
  int64_t last_begin = 0;
  int64_t last_end = 0;
  int64_t busy = 0;
  double min_value = 0;
  double max_value = 0;
  TableRef records;
  uint32_t first_list = 0;  // index into the segment's lists
  uint32_t lists = 0;
  uint64_t id_zones_at = 0;  // links: offset of its first IdZone; 0: none
};

class Segment {
 public:
  // A segment over the first `end` bytes of the map, which must go on for kReadSlack more.
  // `checksums` holds one per page of kPageBytes; empty means unchecked, as for spill files.
  Segment(io::MappedFile map, uint64_t end, std::vector<uint32_t> checksums);
  // A segment over bytes in memory, the last kReadSlack of which are not content.
  explicit Segment(std::vector<std::byte> memory);

  // Sets the rows; call before the segment is shared. `types` and `lanes` bound the ids in its
  // records.
  void set_rows(LargeVector<SegmentRow> rows, std::vector<TableRef> lists, uint32_t types,
                uint32_t lanes);

  std::span<const SegmentRow> rows() const { return rows_; }
  TableRef list(const SegmentRow& row, uint32_t i) const { return lists_[row.first_list + i]; }
  uint64_t size_bytes() const { return end_; }

  // Convert stored ids. An id out of bounds is noted as damage and becomes the first type or no
  // lane.
  EventTypeId type_from(int64_t value) const {
    if (static_cast<uint64_t>(value) < types_) return EventTypeId(static_cast<uint32_t>(value));
    note_damage("event type out of bounds", 0);
    return EventTypeId(0);
  }
  LaneId lane_from(int64_t value) const {
    if (static_cast<uint64_t>(value) < lanes_) return LaneId(static_cast<uint32_t>(value));
    if (value != -1) note_damage("lane out of bounds", 0);
    return LaneId::none();
  }

  // Returns checked bytes; empty if they are out of bounds or damaged.
  std::span<const std::byte> bytes(uint64_t at, uint64_t size) const {
    if (at > end_ || size > end_ - at) return {};
    if (size > 0) {
      const uint64_t first = at / kPageBytes, last = (at + size - 1) / kPageBytes;
      const bool is_checked = last - first < 2 && is_good(first) && is_good(last);
      if (!is_checked && !check_pages(first, last)) return {};
    }
    return bytes_.subspan(at, size);
  }

  // Opens block `index` of a table; a lost one if it cannot be read.
  template <int kColumns>
  void open_block(const TableRef& table, uint64_t index, BlockView<kColumns>& view) const {
    if (!open_if_sound(table, index, view)) view.lose();
  }

  // Prefetches block `index`, of about `size` bytes. Rows are read forwards, but their blocks lie
  // apart, where no hardware prefetcher finds them.
  void prefetch_block(const TableRef& table, uint64_t index, uint64_t size) const {
    if (index >= table.blocks() || table.offsets_at + 8 * index + 8 > end_) return;
    uint64_t at = 0;
    std::memcpy(&at, bytes_.data() + table.offsets_at + 8 * index, 8);
    if (at >= end_) return;
    constexpr uint64_t kCacheLine = 64;
    const uint64_t end = std::min(end_, at + size);
    for (; at < end; at += kCacheLine) __builtin_prefetch(bytes_.data() + at);
  }

  void note_damage(const char* what, uint64_t at) const;
  // Fails if damage was noted or the file was truncated while mapped.
  Status health() const;
  // Checks every page; the error names the first bad one.
  Status verify_pages() const;

 private:
  template <int kColumns>
  bool open_if_sound(const TableRef& table, uint64_t index, BlockView<kColumns>& view) const {
    const std::span<const std::byte> entry = bytes(table.offsets_at + 8 * index, 8);
    if (entry.empty()) return false;
    uint64_t at = 0;
    std::memcpy(&at, entry.data(), 8);
    constexpr size_t kHead = 1 + kColumns * 9 + kReadSlack;
    if (at >= end_ || bytes(at, std::min<uint64_t>(kHead, end_ - at)).empty()) {
      note_damage("block out of bounds", at);
      return false;
    }
    const uint64_t rows = std::min<uint64_t>(kBlockRows, table.rows - index * kBlockRows);
    if (view.open(bytes_.subspan(at)) && view.rows() == rows &&
        !bytes(at, view.size_bytes()).empty())
      return true;
    note_damage("block is malformed", at);
    return false;
  }
  bool is_good(uint64_t page) const {
    return page >= page_states_.size() ||
           page_states_[page].load(std::memory_order_relaxed) == kGood;
  }
  bool check_pages(uint64_t first, uint64_t last) const;

  io::MappedFile map_;
  std::vector<std::byte> memory_;  // used instead of map_
  uint64_t end_;
  std::span<const std::byte> bytes_;  // kReadSlack included
  uint32_t types_ = 0;
  uint32_t lanes_ = 0;
  LargeVector<SegmentRow> rows_;
  std::vector<TableRef> lists_;
  std::vector<uint32_t> checksums_;
  enum PageState : uint8_t { kUnknown, kGood, kBad };
  mutable std::vector<std::atomic<uint8_t>> page_states_;
  mutable std::mutex mutex_;
  mutable std::string damage_;  // guarded by mutex_
};

// Reads single values of a table by row, caching the last block. Not thread-safe; cheap to make.
template <int kColumns>
class TableCursor {
 public:
  TableCursor(const Segment& segment, const TableRef& table) : segment_(&segment), table_(table) {}

  uint64_t rows() const { return table_.rows; }
  int64_t get(int column, uint64_t row) {
    seek(row);
    return view_.get(column, static_cast<uint32_t>(row % kBlockRows));
  }
  // Returns the block that holds `row`, which is row % kBlockRows in it.
  const BlockView<kColumns>& seek(uint64_t row) {
    const uint64_t block = row / kBlockRows;
    if (block != block_) {
      const bool is_forward = block == block_ + 1;
      segment_->open_block(table_, block, view_);
      segment_->prefetch_block(table_, is_forward ? block + 1 : block, view_.size_bytes());
      block_ = block;
    }
    return view_;
  }

 private:
  const Segment* segment_;
  TableRef table_;
  uint64_t block_ = ~uint64_t{0};
  BlockView<kColumns> view_;
};

using RecordCursor = TableCursor<kRecordColumns>;
using NodeCursor = TableCursor<kNodeColumns>;

// Decodes rows [first, first + count) of an opened block of records.
void read_records(const Segment& segment, const BlockView<kRecordColumns>& block, uint32_t first,
                  uint32_t count, Record* out);
double read_value(const BlockView<kRecordColumns>& block, uint32_t row);
Record read_record(const Segment& segment, const BlockView<kRecordColumns>& block, uint32_t row);

// Reads the nodes of one list of a row's forest.
class NodeReader {
 public:
  NodeReader(const Segment& segment, const SegmentRow& row, uint32_t level)
      : segment_(&segment),
        cursor_(segment, segment.list(row, level)),
        records_(row.records.rows),
        below_(level == 0 ? records_ : segment.list(row, level - 1).rows),
        is_leaf_(level == 0) {}

  uint64_t rows() const { return cursor_.rows(); }
  int64_t get(int column, uint64_t i) { return cursor_.get(column, i); }
  // Indices of node i's first record and first child (in list 0 a record, otherwise a node of the
  // list below); for i == rows(), the end of the row or list. Clamped to that end if the bytes are
  // damaged.
  uint64_t first(uint64_t i) {
    return i < rows() ? std::min(static_cast<uint64_t>(cursor_.get(kNodeFirst, i)), records_)
                      : records_;
  }
  uint64_t child(uint64_t i) {
    if (is_leaf_) return first(i);
    return i < rows() ? std::min(static_cast<uint64_t>(cursor_.get(kNodeChild, i)), below_)
                      : below_;
  }
  uint64_t child_end(uint64_t i) { return child(i + 1); }
  // Returns the block that holds node i, at row i % kBlockRows; valid until the next call.
  const BlockView<kNodeColumns>& block(uint64_t i) { return cursor_.seek(i); }
  uint32_t type_from(int64_t column) const { return segment_->type_from(column >> 16).value(); }
  Node read(uint64_t i);

 private:
  const Segment* segment_;
  NodeCursor cursor_;
  uint64_t records_;
  uint64_t below_;
  bool is_leaf_;
};

// Returns the index of the first record with begin >= t, or the number of records. `lists` holds
// all of a row's lists, from list 0. O(log n); leaves the readers at the blocks around t.
uint64_t lower_bound(std::span<NodeReader> lists, RecordCursor& records, int64_t t);

// The part of a row that lies in one segment.
class RowPart {
 public:
  RowPart(const Segment& segment, const SegmentRow& row) : segment_(&segment), row_(&row) {}
  const Segment& segment() const { return *segment_; }
  const SegmentRow& row() const { return *row_; }
  uint64_t count() const { return row_->records.rows; }

  // Returns the index of the first record with begin >= t, or count(). O(log n).
  uint64_t lower_bound(int64_t t) const;

  // Returns the range of message ids from record zone * kIdZoneRecords on; the full range if it is
  // unknown or cannot be read.
  IdZone id_zone(uint64_t zone) const;

  Record record(uint64_t index) const;
  // Appends records [first, first + count) to `out`.
  void read(uint64_t first, uint64_t count, std::vector<Record>& out) const;

 private:
  const Segment* segment_;
  const SegmentRow* row_;
};

}  // namespace weft::store
