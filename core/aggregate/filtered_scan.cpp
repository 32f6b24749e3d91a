#include "core/aggregate/filtered_scan.h"

#include <algorithm>
#include <vector>

#include "core/store/segment.h"

namespace weft::aggregate {
namespace {

using store::kBlockRows;
using store::Record;
using store::RowKind;

// Records that are looked at by the tree first, then read.
constexpr uint64_t kChunkRecords = uint64_t{64} << 10;
// Nodes of fewer records on average are not worth looking at: their blocks are.
constexpr uint64_t kLeastNodeRecords = kBlockRows / 2;

// Fewer than one in this many left: they are read one by one.
constexpr uint32_t kSparse = 8;

// Finds the runs of records of a part that the tree does not rule out.
class Pruner {
 public:
  Pruner(const store::RowPart& part, const RowFilter& filter, ScanCount& count)
      : filter_(&filter), count_(&count) {
    const uint32_t lists = filter.passes_all() ? 0 : part.row().lists;
    for (uint32_t i = 0; i < lists; ++i) {
      lists_.emplace_back(part.segment(), part.row(), i);
      const bool is_coarse = lists_.back().rows() * kLeastNodeRecords <= part.count();
      if (!is_coarse) bottom_ = i + 1;
    }
  }

  // Within [first, end), in order.
  std::span<const RecordRun> runs(uint64_t first, uint64_t end) {
    runs_.clear();
    if (bottom_ >= lists_.size()) {
      runs_.push_back({first, end});
    } else {
      descend(lists_.size() - 1, 0, lists_.back().rows(), {first, end});
    }
    return runs_;
  }

 private:
  void descend(size_t list, uint64_t first, uint64_t end, RecordRun within) {
    store::NodeReader& nodes = lists_[list];
    for (uint64_t i = first; i < end; ++i) {
      const RecordRun run{std::max(nodes.first(i), within.first),
                          std::min(nodes.first(i + 1), within.end)};
      if (nodes.first(i) >= within.end) return;
      if (run.first >= run.end) continue;
      ++count_->nodes;
      if (!may_hold_some(nodes, i)) continue;
      if (list > bottom_) {
        descend(list - 1, nodes.child(i), nodes.child_end(i), within);
      } else if (!runs_.empty() && runs_.back().end == run.first) {
        runs_.back().end = run.end;
      } else {
        runs_.push_back(run);
      }
    }
  }

  bool may_hold_some(store::NodeReader& nodes, uint64_t i) const {
    const auto& block = nodes.block(i);
    const auto row = static_cast<uint32_t>(i % kBlockRows);
    const int64_t first_begin = block.get(store::kNodeFirstBegin, row);
    const int64_t last_begin = saturating_add(first_begin, block.get(store::kNodeSpan, row));
    if (first_begin > filter_->begin().most || last_begin < filter_->begin().least) return false;
    if (block.get(store::kNodeLongest, row) < filter_->duration().least) return false;
    const int64_t type = block.get(store::kNodeType, row);
    const bool is_pure = (type >> 8 & 0xFF) == 0;
    return !is_pure || !filter_->passes_none_of(EventTypeId(nodes.type_from(type)));
  }

  const RowFilter* filter_;
  ScanCount* count_;
  std::vector<store::NodeReader> lists_;
  size_t bottom_ = 0;  // the lowest list that is looked at
  std::vector<RecordRun> runs_;
};

// Reads what passes from the blocks of one part.
class Reader {
 public:
  Reader(const store::Row& row, uint32_t part, const RowFilter& filter, TimeRange range,
         ScanCount& count)
      : kind_(row.kind),
        part_(&row.parts[part]),
        filter_(&filter),
        range_(range),
        cursor_(part_->segment(), part_->row().records),
        count_(&count) {
    passing_.part = part;
  }

  // Reads the passing ones of records [first, end), which lie in one block.
  const PassingRecords& read(RecordRun run, ScanOrder order) {
    const auto& block = cursor_.seek(run.first);
    const auto first = static_cast<uint32_t>(run.first % kBlockRows);
    const auto size = static_cast<uint32_t>(run.end - run.first);
    size_t found = 0;
    if (may_hold_some(block) && choose(block, first, size)) {
      // If few are left, each is read individually.
      const bool is_dense = chosen_ * kSparse >= chosen_end_ - chosen_first_;
      if (is_dense) {
        store::read_records(part_->segment(), block, first + chosen_first_,
                            chosen_end_ - chosen_first_, records_);
      }
      for (uint32_t i = chosen_first_; i < chosen_end_; ++i) {
        if (!is_chosen_[i]) continue;
        const Record record = is_dense ? records_[i - chosen_first_]
                                       : store::read_record(part_->segment(), block, first + i);
        if (!filter_->passes(record) || !lies_in_range(record)) continue;
        records_[found] = record;
        indices_[found++] = run.first + i;
      }
    }
    if (order == ScanOrder::kBackwards) {
      std::reverse(records_, records_ + found);
      std::reverse(indices_, indices_ + found);
    }
    passing_.records = {records_, found};
    passing_.indices = {indices_, found};
    return passing_;
  }

 private:
  using Block = store::BlockView<store::kRecordColumns>;

  bool may_hold_some(const Block& block) const {
    if (block.is_lost()) return false;
    const auto misses = [&](int column, const Interval<int64_t>& wanted) {
      const store::PackedColumn& packed = block.column(column);
      const auto least = static_cast<int64_t>(packed.base);
      const auto most = static_cast<int64_t>(packed.base + packed.mask);
      return most >= least && (least > wanted.most || most < wanted.least);
    };
    return !misses(store::kBegin, filter_->begin()) &&
           (kind_ != RowKind::kState || !misses(store::kDuration, filter_->duration()));
  }

  // Selects by begin, duration and type alone. Returns false if none is left.
  bool choose(const Block& block, uint32_t first, uint32_t size) {
    count_->records += size;
    chosen_first_ = size;
    chosen_end_ = chosen_ = 0;
    block.get_range(store::kBegin, first, size, begins_);
    block.get_range(store::kDuration, first, size, durations_);
    block.get_range(store::kType, first, size, types_);
    for (uint32_t i = 0; i < size; ++i) {
      const auto type = EventTypeId(static_cast<uint32_t>(types_[i]));
      is_chosen_[i] = filter_->may_pass(begins_[i], durations_[i], type);
      if (!is_chosen_[i]) continue;
      chosen_first_ = std::min(chosen_first_, i);
      chosen_end_ = i + 1;
      ++chosen_;
    }
    return chosen_end_ > 0;
  }

  bool lies_in_range(const Record& record) const {
    if (record.begin >= range_.end) return false;
    return record.begin >= range_.begin ||
           (kind_ == RowKind::kState && record.end() > range_.begin);
  }

  RowKind kind_;
  const store::RowPart* part_;
  const RowFilter* filter_;
  TimeRange range_;
  store::RecordCursor cursor_;
  ScanCount* count_;
  PassingRecords passing_;
  // Columns of the current block.
  int64_t begins_[kBlockRows];
  int64_t durations_[kBlockRows];
  int64_t types_[kBlockRows];
  bool is_chosen_[kBlockRows];
  uint32_t chosen_first_ = 0;
  uint32_t chosen_end_ = 0;
  uint32_t chosen_ = 0;
  Record records_[kBlockRows];
  uint64_t indices_[kBlockRows];
};

// Calls body(first, end) for the pieces of [first, end) that `size` cuts at its multiples, in
// order; until it returns false.
template <class Body>
bool for_each_piece(RecordRun run, uint64_t size, ScanOrder order, const Body& body) {
  if (run.first >= run.end) return true;
  const uint64_t first_piece = run.first / size;
  const uint64_t pieces = (run.end - 1) / size + 1 - first_piece;
  for (uint64_t i = 0; i < pieces; ++i) {
    const uint64_t piece = first_piece + (order == ScanOrder::kForwards ? i : pieces - 1 - i);
    const RecordRun cut{std::max(run.first, piece * size), std::min(run.end, (piece + 1) * size)};
    if (!body(cut)) return false;
  }
  return true;
}

// The records of a part that begin in the range, and the one before, which may reach into it.
RecordRun records_of(const store::RowPart& part, RowKind kind, TimeRange range) {
  RecordRun run{part.lower_bound(range.begin.ticks), part.lower_bound(range.end.ticks)};
  if (kind == RowKind::kState && run.first > 0) --run.first;
  return run;
}

// The parameters of a scan.
struct Scan {
  const store::Row& row;
  const RowFilter& filter;
  TimeRange range;
  ScanOrder order;
  const std::function<bool(const PassingRecords&)>& body;
  const std::stop_token& stop;
  ScanCount& count;

  bool run(uint32_t part, RecordRun records) const {
    Pruner pruner(row.parts[part], filter, count);
    Reader reader(row, part, filter, range, count);
    const auto read_block = [&](RecordRun block) {
      const PassingRecords& passing = reader.read(block, order);
      return passing.records.empty() || body(passing);
    };
    const auto read_chunk = [&](RecordRun chunk) {
      if (stop.stop_requested()) return false;
      const std::span<const RecordRun> runs = pruner.runs(chunk.first, chunk.end);
      for (size_t k = 0; k < runs.size(); ++k) {
        const RecordRun& next = runs[order == ScanOrder::kForwards ? k : runs.size() - 1 - k];
        if (!for_each_piece(next, kBlockRows, order, read_block)) return false;
      }
      return true;
    };
    return for_each_piece(records, kChunkRecords, order, read_chunk);
  }
};

}  // namespace

bool for_each_passing(const store::Row& row, const RowFilter& filter, TimeRange range,
                      ScanOrder order, const std::function<bool(const PassingRecords&)>& body,
                      const std::stop_token& stop, ScanCount* count) {
  if (filter.passes_none() || range.is_empty()) return true;
  ScanCount own;
  const Scan scan{row, filter, range, order, body, stop, count != nullptr ? *count : own};
  for (size_t i = 0; i < row.parts.size(); ++i) {
    const auto part =
        static_cast<uint32_t>(order == ScanOrder::kForwards ? i : row.parts.size() - 1 - i);
    if (!scan.run(part, records_of(row.parts[part], row.kind, range))) return false;
  }
  return true;
}

bool for_each_passing(const store::Row& row, uint32_t part, RecordRun records,
                      const RowFilter& filter,
                      const std::function<bool(const PassingRecords&)>& body,
                      const std::stop_token& stop) {
  if (filter.passes_none()) return true;
  ScanCount count;
  const TimeRange always{Time::min(), Time::max()};
  return Scan{row, filter, always, ScanOrder::kForwards, body, stop, count}.run(part, records);
}

}  // namespace weft::aggregate
