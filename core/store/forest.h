// The aggregation tree of a row: a radix forest, grown as records are appended.
//
// Consider the Patricia (binary radix) tree over the begins of a row's records: two neighbours part
// at the highest bit in which their begins differ, so every subtree is what begins in one cell of
// the absolute power-of-two grid. The forest keeps, as lists of nodes,
//
//   list 0   the maximal subtrees of at most kLeafRecords records,
//   list i   the maximal subtrees of at most kFanOut nodes of list i-1,
//
// up to a list of at most kFanOut. A query for columns of 2^k ticks descends from the top and takes
// every node that lies within one column. A node not taken spans two columns or more and has at
// most kFanOut children, so at most kFanOut/2 nodes are taken for each column, at any zoom, for any
// distribution of the data: dense bursts have fine nodes, idle stretches none. A node once emitted
// never changes when records are appended.
//
// Inspired by implicit segment forests (T. Hume, "Implicit In-order Forests", 2021) and bucket PR
// quadtrees (H. Samet); see README.md for why neither a count tree nor a plain time grid.
#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "core/store/packed.h"
#include "core/store/trace.h"

namespace weft::store {

inline constexpr uint32_t kLeafRecords = 12;
inline constexpr uint32_t kFanOut = 4;
inline constexpr int kMaxLists = 32;

struct Node {
  int64_t first_begin = 0;
  int64_t last_begin = 0;
  int64_t last_duration = 0;  // of the record that begins last
  int64_t busy = 0;           // sum of durations (links: saturating sum of latencies)
  int64_t longest = 0;
  uint64_t count = 0;  // of records; not stored: the next node's `first` less its own
  uint64_t first = 0;  // index of its first record in the row
  uint64_t child = 0;  // index of its first node in the list below (list 0: = first)
  uint32_t type = 0;   // dominant by weight: busy time, or count in rows without durations
  uint8_t share = 0;   // the type has at least share/255 of the weight
  uint8_t rest = 0;    // no other has more than rest/255; 0 exactly when there is no other
  double min_value = 0, max_value = 0, last_value = 0;  // variables
};

// Columns of a node table.
enum NodeColumn : int {
  kNodeFirstBegin,
  kNodeSpan,
  kNodeLastDuration,
  kNodeBusy,
  kNodeLongest,
  kNodeFirst,
  kNodeChild,
  kNodeType,  // type << 16 | rest << 8 | share
  kNodeMin,
  kNodeMax,
  kNodeLast,
  kNodeColumns
};

// Aggregates of records and of nodes; `first`, `child` are left to the caller.
Node leaf_of(std::span<const Record> records, RowKind kind);
Node merge_of(std::span<const Node> nodes, RowKind kind);

// Groups a sorted stream of items into maximal radix subtrees of at most `capacity` items.
template <class Item>
class RadixGrouper {
 public:
  explicit RadixGrouper(uint32_t capacity) : capacity_(capacity) {}

  // `first` and `last` are the begins that the item spans; emit(span of items) is called for each
  // group that is final.
  template <class Emit>
  void push(const Item& item, int64_t first, int64_t last, Emit&& emit) {
    if (has_previous_) {
      const auto gap =
          static_cast<int>(std::bit_width(static_cast<uint64_t>(previous_last_ ^ first)));
      close_below(gap, emit);
      stack_.push_back({1, gap});
    } else {
      stack_.push_back({1, 65});
    }
    has_previous_ = true;
    previous_last_ = last;
    items_.push_back(item);
  }

  template <class Emit>
  void finish(Emit&& emit) {
    close_below(66, emit);
    flush(emit);
    has_previous_ = false;
  }

 private:
  // A finished subtree whose items wait in items_; `gap` is the bit at which it parts from what is
  // left of it.
  struct Subtree {
    uint32_t count;
    int gap;
  };

  // Joins the subtrees that part below bit `gap`: nothing can come between them any more.
  template <class Emit>
  void close_below(int gap, Emit&& emit) {
    while (!stack_.empty() && (stack_.back().gap < gap || gap == 0)) {
      const Subtree top = stack_.back();
      if (stack_.size() == 1) {
        // To its left lie only groups that are final: it can grow no more.
        if (top.gap < gap) flush(emit);
        return;
      }
      if (top.gap > gap) return;
      if (stack_[stack_.size() - 2].count + top.count > capacity_) {
        // Too many together, so each is final, and so is all to their left: its siblings hold more.
        flush(emit);
        return;
      }
      stack_.pop_back();
      stack_.back().count += top.count;
    }
  }

  template <class Emit>
  void flush(Emit&& emit) {
    size_t at = 0;
    for (const Subtree& s : stack_) {
      emit(std::span<const Item>(items_).subspan(at, s.count));
      at += s.count;
    }
    items_.clear();
    stack_.clear();
  }

  uint32_t capacity_;
  bool has_previous_ = false;
  int64_t previous_last_ = 0;
  std::vector<Subtree> stack_;
  std::vector<Item> items_;
};

}  // namespace weft::store
