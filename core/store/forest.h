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

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "core/store/packed.h"
#include "core/store/trace.h"

namespace weft::store {

inline constexpr uint32_t kLeafRecords = 12;
inline constexpr uint32_t kFanOut = 4;
inline constexpr int kMaxLists = 32;

// Minimum and maximum that ignore not-a-number, which stands for "no value".
template <class T>
T lesser_value(T a, T b) {
  return b < a || std::isnan(a) ? b : a;
}
template <class T>
T greater_value(T a, T b) {
  return b > a || std::isnan(a) ? b : a;
}

struct Node {
  int64_t first_begin = 0;
  int64_t last_begin = 0;
  int64_t last_duration = 0;  // of the last record by begin
  int64_t busy = 0;           // sum of durations (links: saturating sum of latencies)
  int64_t longest = 0;
  uint64_t count = 0;  // number of records; not stored: the next node's `first` minus its own
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

// Aggregate records, or nodes, into one node; the caller sets `first` and `child`.
Node leaf_of(std::span<const Record> records, RowKind kind);
Node merge_of(std::span<const Node> nodes, RowKind kind);

// First and last begin of a forest's item, be it a record or a node.
inline int64_t first_begin(const Record& r) { return r.begin.ticks; }
inline int64_t last_begin(const Record& r) { return r.begin.ticks; }
inline int64_t first_begin(const Node& n) { return n.first_begin; }
inline int64_t last_begin(const Node& n) { return n.last_begin; }

// Groups a sorted stream of items (records, or nodes of one list) into maximal radix subtrees of at
// most `capacity` items.
//
// A group begins where the one before ended. It is the largest cell of the power-of-two grid that
// holds its first item but neither the item before it nor the one `capacity` items later. Items
// with equal begins have no such cell and are grouped by count.
template <class Item>
class RadixGrouper {
 public:
  explicit RadixGrouper(uint32_t capacity) : capacity_(capacity) {}

  // Calls emit(span of items) for each group that is final. emit may call add() of other groupers
  // only.
  template <class Emit>
  void add(std::span<const Item> items, Emit&& emit) {
    if (waiting_.empty()) {  // most rows are added in one call
      const std::span<const Item> left = emit_groups(items, capacity_, emit);
      waiting_.assign(left.begin(), left.end());
      return;
    }
    waiting_.insert(waiting_.end(), items.begin(), items.end());
    const std::span<const Item> left = emit_groups(waiting_, capacity_, emit);
    waiting_.erase(waiting_.begin(), waiting_.end() - static_cast<ptrdiff_t>(left.size()));
  }

  template <class Emit>
  void finish(Emit&& emit) {
    emit_groups(waiting_, 0, emit);
    waiting_.clear();
    gap_ = kNoGap;
  }

 private:
  // Emits groups while more than `most_left` items remain; returns the rest.
  template <class Emit>
  std::span<const Item> emit_groups(std::span<const Item> left, size_t most_left, Emit&& emit) {
    while (left.size() > most_left) {
      const size_t n = first_group(left);
      if (n < left.size()) gap_ = level_between(last_begin(left[n - 1]), first_begin(left[n]));
      emit(left.first(n));
      left = left.subspan(n);
    }
    return left;
  }

  // Returns the size of the group that begins at left[0].
  size_t first_group(std::span<const Item> left) const {
    const int64_t begin = first_begin(left[0]);
    int level = gap_ - 1;
    if (left.size() > capacity_) {
      level = std::min(level, level_between(begin, first_begin(left[capacity_])) - 1);
    }
    level = std::max(level, 0);
    const uint64_t cell = level >= 64 ? 0 : ~uint64_t{0} << level;
    const size_t most = std::min<size_t>(capacity_, left.size());
    size_t n = 1;
    for (size_t i = 1; i < most; ++i) {
      n += (static_cast<uint64_t>(begin ^ last_begin(left[i])) & cell) == 0 ? 1 : 0;
    }
    return n;
  }

  // Returns log2 of the size of the smallest cell that holds both.
  static int level_between(int64_t a, int64_t b) {
    return static_cast<int>(std::bit_width(static_cast<uint64_t>(a ^ b)));
  }

  static constexpr int kNoGap = 65;
  uint32_t capacity_;
  int gap_ = kNoGap;  // the level between the item before the group and its first one
  std::vector<Item> waiting_;
};

}  // namespace weft::store
