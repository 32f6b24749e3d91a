// Two flame trees laid upon each other: what every stack takes in B against what it took in A.
//
// A node for each path that either of them has. Types meet by name and group, and lengths are in
// ticks of A, as in comparison.h: summed over the nodes of a type, counts, totals and self times
// are those of its row there.
#pragma once

#include <stop_token>
#include <string>

#include "core/base/large_vector.h"
#include "core/base/result.h"
#include "core/query/metrics/comparison.h"
#include "core/query/metrics/flame_tree.h"

namespace weft::query {

struct FlameDifference {
  // The figures of B in its own ticks, 0 where it has not the path; the largest come first. What
  // only A has is of types beyond those of B's dictionary.
  FlameTree tree;
  LargeVector<Change> nodes;  // by node; the root has counts and totals
  TimeBase base = TimeBase::kNanoseconds;
  double gone = 0;          // of A's total: outermost nodes that B has not
  uint64_t gone_paths = 0;  // how many nodes B has not
};

// Of the node's type: "all" is the root.
std::string_view name_of(const Change& node, const trace::Dictionary& names_a,
                         const trace::Dictionary& names_b);

// Of trees of the traces with these dictionaries. An error where one clock relates to seconds and
// the other does not. O(nodes), and a look at every type. Stopped: a part of it.
Result<FlameDifference> flame_difference(const FlameTree& a, const trace::Dictionary& names_a,
                                         const FlameTree& b, const trace::Dictionary& names_b,
                                         const std::stop_token& stop = {});

}  // namespace weft::query
