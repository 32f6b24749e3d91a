// Aggregated call stacks: one node for every distinct path of types, from the outermost state
// inwards, over all selected lanes.
//
//   main ─┬─ read ── poll        nodes[0] is the root: it stands for all of them, and has no type
//         └─ write
//
// A state's caller is the innermost state of its lane that contains all of it. Overlapping
// (asynchronous) work is placed side by side, so a node's callees may take longer than the node
// itself.
//
// Lengths are clipped to the range as in the metric "duration" (metrics.h); summed over a type's
// nodes, count and total equal that metric's, and so does self if states nest. States outside the
// selection are not part of paths. O(n log n) for n states in the range, on all threads; O(nodes)
// memory per thread, in large arrays (large_vector.h).
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>

#include "core/base/large_vector.h"
#include "core/query/selection.h"
#include "core/query/work.h"
#include "core/store/trace.h"

namespace weft::query {

struct FlameNode {
  EventTypeId type = EventTypeId::none();
  uint32_t parent = 0;
  uint32_t depth = 0;        // the root's is 0
  uint32_t first_child = 0;  // index into all children, once finished …
  uint32_t children = 0;     // … and how many there are
  uint64_t count = 0;
  int64_t total = 0;  // the root's: sum of its children
  int64_t self = 0;   // without the union of its children
  // The part of `total` in marked states. At the root, only marked states that no other marked one
  // calls, so that it is a part of the root's total if states nest.
  int64_t marked = 0;
  int64_t min = std::numeric_limits<int64_t>::max();
  int64_t max = 0;
};

class FlameTree {
 public:
  FlameTree() : nodes_(1) {}

  std::span<const FlameNode> nodes() const { return nodes_; }
  const FlameNode& operator[](uint32_t node) const { return nodes_[node]; }
  // Children in a finished tree, largest total first.
  std::span<const uint32_t> children(uint32_t node) const {
    return std::span(children_).subspan(nodes_[node].first_child, nodes_[node].children);
  }
  uint64_t size_bytes() const;
  // Returns the child of `parent` with this type, adding it if necessary. Not after finish().
  uint32_t child(uint32_t parent, EventTypeId type);
  FlameNode& edit(uint32_t node) { return nodes_[node]; }

  // Adds another tree to this one.
  void merge(const FlameTree& other);
  // Adds what is below `from` in the finished tree `other` to what is below `into`.
  void merge_below(const FlameTree& other, uint32_t from, uint32_t into);
  // Sums up the root and sorts the children of every node. Call once, at the end.
  void finish();

 private:
  // Returns the slot that holds the node, or the free slot where it belongs.
  size_t slot_of(uint32_t parent, EventTypeId type) const;
  void grow();

  LargeVector<FlameNode> nodes_;    // parents before children
  LargeVector<uint32_t> slots_;     // open-addressing table of nodes by parent and type; 0: free
  LargeVector<uint32_t> children_;  // grouped by parent
};

// Builds the tree, marking the states that `marks` selects, if given. nullopt if stopped.
std::optional<FlameTree> flame_tree(const store::Trace& trace, const Selection& selection,
                                    const Work& work, const Selection* marks = nullptr);

// Returns the merged callees of all states of some types (e.g. those of one name). The types are
// the root's children; a recursive state counts at every depth at which it runs, as in the metric.
// O(nodes · types).
FlameTree callees_of(const FlameTree& tree, std::span<const EventTypeId> types);
// Returns the merged callers of these types: children are callers, with the figures of the states
// they led to.
FlameTree callers_of(const FlameTree& tree, std::span<const EventTypeId> types);

}  // namespace weft::query
