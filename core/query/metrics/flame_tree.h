// Call stacks added up: one node for every distinct path of types from the outermost state inwards,
// over all selected lanes.
//
//   main ─┬─ read ── poll        nodes[0] is the root: it stands for all of them, and has no type
//         └─ write
//
// A state is called by the innermost one of its lane that all of it lies in: work that overlaps, as
// asynchronous work does, stands side by side. Then what a node calls may take longer than it does.
//
// Lengths are clipped to the range as in the metric "duration" (metrics.h); summed over the nodes
// of a type, count and total are those of that metric, and where states nest so is self. States
// that the selection leaves out are no part of a path. Cost: O(n log n) over the states in the
// range, on all threads; memory O(nodes) a thread, in large arrays (large_vector.h).
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
  uint32_t first_child = 0;  // among all children, once the tree is finished …
  uint32_t children = 0;     // … and how many follow there
  uint64_t count = 0;
  int64_t total = 0;  // the root's: of its children
  int64_t self = 0;   // without what its children cover, once where they overlap
  // Of total: states that were marked. The root's: those that no marked one calls, so that it is a
  // part of its total where states nest.
  int64_t marked = 0;
  int64_t min = std::numeric_limits<int64_t>::max();
  int64_t max = 0;
};

class FlameTree {
 public:
  FlameTree() : nodes_(1) {}

  std::span<const FlameNode> nodes() const { return nodes_; }
  const FlameNode& operator[](uint32_t node) const { return nodes_[node]; }
  // Of a finished tree: largest total first.
  std::span<const uint32_t> children(uint32_t node) const {
    return std::span(children_).subspan(nodes_[node].first_child, nodes_[node].children);
  }
  uint64_t size_bytes() const;
  // The path's node: made where there is none. Not after finish().
  uint32_t child(uint32_t parent, EventTypeId type);
  FlameNode& edit(uint32_t node) { return nodes_[node]; }

  // Adds another tree to this one.
  void merge(const FlameTree& other);
  // The same below a node: what is below `from` in `other`, which is finished, to `into`.
  void merge_below(const FlameTree& other, uint32_t from, uint32_t into);
  // Sums up the root, and puts the children of every node in order. To be called once, at the end.
  void finish();

 private:
  // Where the path's node is in `slots_`, or would be.
  size_t slot_of(uint32_t parent, EventTypeId type) const;
  void grow();

  LargeVector<FlameNode> nodes_;    // parents before children
  LargeVector<uint32_t> slots_;     // an open table of nodes by parent and type; 0: free
  LargeVector<uint32_t> children_;  // node by node
};

// Marks the states that `marks` takes, too, where there is one. None where it was stopped.
std::optional<FlameTree> flame_tree(const store::Trace& trace, const Selection& selection,
                                    const Work& work, const Selection* marks = nullptr);

// What all states of a few types (as those of one name) lead to: their own children are their
// callees' paths. The root's children are the types; a recursive state counts at every depth at
// which it runs, as in the metric. O(nodes · types).
FlameTree callees_of(const FlameTree& tree, std::span<const EventTypeId> types);
// What leads to them: children are callers, outwards; each has the figures of the states it led to.
FlameTree callers_of(const FlameTree& tree, std::span<const EventTypeId> types);

}  // namespace weft::query
