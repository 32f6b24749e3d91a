// Descends a row's forest for a question about columns: the one traversal under every query.
//
// The row's records that begin in [range.begin, range.end) are visited in order, each exactly once:
// whole nodes where a node lies within one column and the visitor takes it, records elsewhere.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/aggregate/columns.h"
#include "core/store/segment.h"

namespace weft::aggregate {

// The fields of a record that queries look at.
struct Item {
  int64_t begin;
  int64_t duration;  // rows of states; else 0
  uint32_t type;
  double value;    // rows of variables; else 0
  uint64_t index;  // in the part
  int64_t end() const { return saturating_add(begin, duration); }
};

class Walk {
 public:
  Walk(const store::RowPart& part, ReadCount* reads)
      : part_(&part),
        kind_(part.row().kind),
        records_(part.segment(), part.row().records),
        lookup_(part.segment(), part.row().records),
        reads_(reads) {
    lists_.reserve(part.row().lists);
    for (uint32_t i = 0; i < part.row().lists; ++i)
      lists_.emplace_back(part.segment(), part.row(), i);
  }

  // column_of(t): non-decreasing. visitor.node(reader, i, first begin,
  // last begin): true where it took node i of a list.
  // visitor.record(item).
  template <class ColumnOf, class Visitor>
  void run(int64_t begin, int64_t end, ColumnOf&& column_of, Visitor&& visitor) {
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

  // The last record that begins before t. Called before run() it costs next to nothing more: run()
  // finds the blocks opened.
  std::optional<Item> item_before(int64_t t) {
    const uint64_t next = store::lower_bound(lists_, lookup_, t);
    if (next == 0) return std::nullopt;
    return item(next - 1);
  }

  Item item(uint64_t index) {
    const auto& block = lookup_.seek(index);
    const auto row = static_cast<uint32_t>(index % store::kBlockRows);
    return item_of(block, row, block.get(store::kBegin, row), index);
  }

 private:
  template <class ColumnOf, class Visitor>
  bool descend(size_t list, uint64_t first, uint64_t last, int64_t begin, int64_t end,
               ColumnOf& column_of, Visitor& visitor) {
    store::NodeReader& nodes = lists_[list];
    for (uint64_t i = first; i < last; ++i) {
      ++nodes_;
      const auto& block = nodes.block(i);
      const auto row = static_cast<uint32_t>(i % store::kBlockRows);
      const int64_t first_begin = block.get(store::kNodeFirstBegin, row);
      if (first_begin >= end) return false;
      const int64_t last_begin = saturating_add(first_begin, block.get(store::kNodeSpan, row));
      if (last_begin < begin) continue;
      const bool is_inside = first_begin >= begin && last_begin < end;
      if (is_inside && column_of(first_begin) == column_of(last_begin) &&
          visitor.node(nodes, i, first_begin, last_begin)) {
        continue;
      }
      const bool goes_on =
          list == 0 ? visit_records(nodes.first(i), nodes.first(i + 1), begin, end, visitor)
                    : descend(list - 1, nodes.child(i), nodes.child_end(i), begin, end, column_of,
                              visitor);
      if (!goes_on) return false;
    }
    return true;
  }

  template <class Visitor>
  bool visit_records(uint64_t first, uint64_t last, int64_t begin, int64_t end, Visitor& visitor) {
    ++nodes_;
    while (first < last) {
      const auto& block = records_.seek(first);
      auto row = static_cast<uint32_t>(first % store::kBlockRows);
      const auto in_block =
          static_cast<uint32_t>(std::min<uint64_t>(store::kBlockRows - row, last - first));
      for (const uint32_t row_end = row + in_block; row < row_end; ++row, ++first) {
        const int64_t at = block.get(store::kBegin, row);
        if (at >= end) return false;
        if (at < begin) continue;
        ++read_;
        visitor.record(item_of(block, row, at, first));
      }
    }
    return true;
  }

  Item item_of(const store::BlockView<store::kRecordColumns>& block, uint32_t row, int64_t begin,
               uint64_t index) const {
    Item item{begin, 0, part_->segment().type_from(block.get(store::kType, row)).value(), 0, index};
    if (kind_ == store::RowKind::kState)
      item.duration = std::max<int64_t>(0, block.get(store::kDuration, row));
    if (kind_ == store::RowKind::kVariable) item.value = store::read_value(block, row);
    return item;
  }

  const store::RowPart* part_;
  store::RowKind kind_;
  store::RecordCursor records_;
  store::RecordCursor lookup_;  // of item(), which is called while records_ is being read
  std::vector<store::NodeReader> lists_;
  ReadCount* reads_;
  uint64_t nodes_ = 0;
  uint64_t read_ = 0;
};

}  // namespace weft::aggregate
