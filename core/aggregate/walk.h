// The traversal of a row's forest that underlies every query of columns.
//
// The row's records that begin in [range.begin, range.end) are visited in order, each exactly once:
// as whole nodes if a node lies within one column and the visitor takes it, otherwise as records.
//
// The walk proceeds in runs: the children of neighbouring nodes are contiguous in the list below,
// so nodes not taken are descended into together, and a run is unpacked a column at a time. If most
// nodes of a list are too wide for the columns, the list below is read in one scan.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "core/aggregate/columns.h"
#include "core/store/segment.h"

namespace weft::aggregate {

// The fields of a record that queries look at.
struct Item {
  int64_t begin;
  int64_t duration;  // states; otherwise 0
  uint32_t type;
  double value;    // variables; otherwise 0
  uint64_t index;  // in the part
  int64_t length;  // the duration of states; links: from send to receive
  int64_t end() const { return saturating_add(begin, duration); }
};

// A range of rows of a block, rounded outwards to whole groups, which unpack faster than single
// rows: contains [row, row + count) as far as the block goes.
struct RowGroups {
  static constexpr uint32_t kRows = 8;
  uint32_t from, to;

  static RowGroups around(uint32_t row, uint32_t count, uint32_t rows_of_block) {
    return {row / kRows * kRows,
            std::min(rows_of_block, (row + count + kRows - 1) / kRows * kRows)};
  }
};

// Up to kRows neighbouring nodes of a list, unpacked: few enough that the runs of all lists fit in
// the L1 cache. Rows count from a multiple of kRows in the list.
class NodeRun {
 public:
  static constexpr uint32_t kRows = 32;

  int64_t get(store::NodeColumn column, uint32_t row) const { return values_[column][row]; }
  int64_t first_begin(uint32_t row) const { return get(store::kNodeFirstBegin, row); }
  int64_t last_begin(uint32_t row) const {
    return saturating_add(first_begin(row), get(store::kNodeSpan, row));
  }
  // Indices of the first record of a node and of its first child (in list 0 a record); valid for
  // the row after the last one, too. Damaged bytes may yield indices past the end.
  uint64_t first(uint32_t row) const { return static_cast<uint64_t>(get(store::kNodeFirst, row)); }
  uint64_t child(uint32_t row) const { return static_cast<uint64_t>(get(child_, row)); }
  uint64_t count(uint32_t row) const {
    return first(row + 1) > first(row) ? first(row + 1) - first(row) : 0;
  }

 private:
  friend class Walk;

  // Unpacks nodes [first, first + count) of a list: the columns that the walk and its visitor need,
  // and the end of the last node.
  void unpack(store::NodeReader& nodes, bool is_leaf, uint64_t first, uint32_t count,
              std::span<const store::NodeColumn> columns) {
    child_ = is_leaf ? store::kNodeFirst : store::kNodeChild;
    const auto& block = nodes.block(first);
    const auto row = static_cast<uint32_t>(first % store::kBlockRows);
    const uint32_t base = row / kRows * kRows;
    const auto [from, to] = RowGroups::around(row, count + 1, block.rows());
    const auto take = [&, from = from, to = to](store::NodeColumn column) {
      block.get_range(column, from, to - from, values_[column].data() + (from - base));
    };
    for (const auto column : {store::kNodeFirstBegin, store::kNodeSpan, store::kNodeFirst})
      take(column);
    if (!is_leaf) take(store::kNodeChild);
    for (const auto column : columns) take(column);
    if (row + count < to) return;
    values_[store::kNodeFirst][to - base] = static_cast<int64_t>(nodes.first(first + count));
    values_[child_][to - base] = static_cast<int64_t>(nodes.child(first + count));
  }

  static_assert(store::kBlockRows % kRows == 0 && kRows % RowGroups::kRows == 0);
  std::array<std::array<int64_t, kRows + RowGroups::kRows>, store::kNodeColumns> values_;
  store::NodeColumn child_;
};

class Walk {
 public:
  Walk(const store::RowPart& part, ReadCount* reads)
      : part_(&part),
        kind_(part.row().kind),
        records_(part.segment(), part.row().records),
        lookup_(part.segment(), part.row().records),
        runs_(std::make_unique_for_overwrite<NodeRun[]>(part.row().lists)),
        reads_(reads) {
    lists_.reserve(part.row().lists);
    for (uint32_t i = 0; i < part.row().lists; ++i)
      lists_.emplace_back(part.segment(), part.row(), i);
  }

  // `column_of(t)` must be non-decreasing. visitor.columns() lists the node columns it needs
  // besides begins and indices. visitor.takes(run, row, column) says whether it takes a node that
  // lies within that column; if so, visitor.node(run, row, column) follows, in order with
  // visitor.record(item).
  template <class ColumnOf, class Visitor>
  void run(int64_t begin, int64_t end, ColumnOf&& column_of, Visitor& visitor) {
    if (lists_.empty()) {
      visit_records(0, part_->count(), begin, end, visitor);
    } else {
      descend(lists_.size() - 1, 0, lists_.back().rows(), begin, end, column_of, visitor);
    }
    if (reads_ != nullptr) {
      reads_->nodes += nodes_;
      reads_->records += read_;
    }
    nodes_ = read_ = 0;
  }

  // Returns the last record that begins before t. Nearly free if called before run(), which then
  // finds the blocks opened.
  std::optional<Item> item_before(int64_t t) {
    const uint64_t next = store::lower_bound(lists_, lookup_, t);
    if (next == 0) return std::nullopt;
    return item(next - 1);
  }

  // The type of a node, from its column kNodeType.
  uint32_t type_of(const NodeRun& nodes, uint32_t row) const {
    return type_of(nodes.get(store::kNodeType, row) >> 16);
  }

  // Returns the record at `index`, or the part's last one if the index exceeds it.
  Item item(uint64_t index) {
    index = std::min(index, part_->count() - 1);
    const auto& block = lookup_.seek(index);
    const auto row = static_cast<uint32_t>(index % store::kBlockRows);
    return item_of(block, row, index, block.get(store::kBegin, row),
                   block.get(store::kDuration, row), block.get(store::kType, row));
  }

 private:
  // Walks nodes [first, last) of a list; returns false once `end` is reached.
  template <class ColumnOf, class Visitor>
  bool descend(size_t list, uint64_t first, uint64_t last, int64_t begin, int64_t end,
               ColumnOf& column_of, Visitor& visitor) {
    NodeRun& nodes = runs_[list];
    while (first < last) {
      auto row = static_cast<uint32_t>(first % NodeRun::kRows);
      const auto count =
          static_cast<uint32_t>(std::min<uint64_t>(NodeRun::kRows - row, last - first));
      nodes.unpack(lists_[list], list == 0, first, count, visitor.columns());
      first += count;
      const auto go_down = [&](uint32_t from) {
        return visit_below(list, nodes.child(from), nodes.child(row), begin, end, column_of,
                           visitor);
      };
      bool is_end = false;
      uint32_t waiting = kNone;  // the first of the nodes before `row` that are not taken
      for (const uint32_t row_end = row + count; row < row_end; ++row) {
        ++nodes_;
        const int64_t first_begin = nodes.first_begin(row);
        is_end = first_begin >= end;
        if (is_end) break;
        const int64_t last_begin = nodes.last_begin(row);
        if (last_begin < begin) continue;
        if (first_begin >= begin && last_begin < end) {
          const auto column = column_of(first_begin);
          if (column == column_of(last_begin) && visitor.takes(nodes, row, column)) {
            if (waiting != kNone && !go_down(std::exchange(waiting, kNone))) return false;
            visitor.node(nodes, row, column);
            continue;
          }
        }
        waiting = std::min(waiting, row);
      }
      if (waiting != kNone && !go_down(waiting)) return false;
      if (is_end) return false;
    }
    return true;
  }

  // Walks the children [first, last) of neighbouring nodes.
  template <class ColumnOf, class Visitor>
  bool visit_below(size_t list, uint64_t first, uint64_t last, int64_t begin, int64_t end,
                   ColumnOf& column_of, Visitor& visitor) {
    if (list == 0) return visit_records(first, std::min(last, part_->count()), begin, end, visitor);
    return descend(list - 1, first, std::min(last, lists_[list - 1].rows()), begin, end, column_of,
                   visitor);
  }

  template <class Visitor>
  bool visit_records(uint64_t first, uint64_t last, int64_t begin, int64_t end, Visitor& visitor) {
    ++nodes_;
    while (first < last) {
      const auto& block = records_.seek(first);
      auto row = static_cast<uint32_t>(first % store::kBlockRows);
      const auto count =
          static_cast<uint32_t>(std::min<uint64_t>(store::kBlockRows - row, last - first));
      unpack_records(block, row, count);
      for (const uint32_t row_end = row + count; row < row_end; ++row, ++first) {
        const int64_t at = begins_[row];
        if (at >= end) return false;
        if (at < begin) continue;
        ++read_;
        visitor.record(item_of(block, row, first, at, durations_[row], types_[row]));
      }
    }
    return true;
  }

  Item item_of(const store::BlockView<store::kRecordColumns>& block, uint32_t row, uint64_t index,
               int64_t begin, int64_t duration, int64_t type) const {
    Item item{begin, 0, type_of(type), 0, index, std::max<int64_t>(0, duration)};
    if (kind_ == store::RowKind::kState) item.duration = item.length;
    if (kind_ == store::RowKind::kVariable) item.value = store::read_value(block, row);
    return item;
  }

  // A few records are read one by one: unpacking a group costs as much as five.
  void unpack_records(const store::BlockView<store::kRecordColumns>& block, uint32_t row,
                      uint32_t count) {
    constexpr uint32_t kFew = 5;
    const auto [from, to] = RowGroups::around(row, count, block.rows());
    const auto take = [&, from = from, to = to](store::RecordColumn column, int64_t* out) {
      if (count > kFew) {
        block.get_range(column, from, to - from, out + from);
      } else {
        for (uint32_t i = row; i < row + count; ++i) out[i] = block.get(column, i);
      }
    };
    take(store::kBegin, begins_);
    take(store::kDuration, durations_);
    take(store::kType, types_);
  }

  uint32_t type_of(int64_t value) const { return part_->segment().type_from(value).value(); }

  static constexpr uint32_t kNone = ~uint32_t{0};

  const store::RowPart* part_;
  store::RowKind kind_;
  store::RecordCursor records_;
  store::RecordCursor lookup_;  // for item(), which is called while records_ is being read
  std::vector<store::NodeReader> lists_;
  std::unique_ptr<NodeRun[]> runs_;  // per list: the nodes that the walk is at
  int64_t begins_[store::kBlockRows], durations_[store::kBlockRows], types_[store::kBlockRows];
  ReadCount* reads_;
  uint64_t nodes_ = 0;
  uint64_t read_ = 0;
};

}  // namespace weft::aggregate
