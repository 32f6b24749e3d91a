// The difference of two flame trees: the time of every stack in B against that in A.
//
// It has a node for each path of either tree. Types are matched by name and group, and lengths are
// in ticks of A, as in comparison.h: summed over a type's nodes, counts, totals and self times
// equal those of its row there.
#pragma once

#include <stop_token>
#include <string>

#include "core/base/large_vector.h"
#include "core/base/result.h"
#include "core/query/metrics/comparison.h"
#include "core/query/metrics/flame_tree.h"

namespace weft::query {

struct FlameDifference {
  // The figures of B in its own ticks, 0 for paths it lacks, largest first. Types that only A has
  // are numbered after those of B's dictionary.
  FlameTree tree;
  LargeVector<Change> nodes;  // by node; the root has counts and totals
  TimeBase base = TimeBase::kNanoseconds;
  double gone = 0;          // part of A's total in nodes that B lacks (outermost ones)
  uint64_t gone_paths = 0;  // number of nodes that B lacks
};

// The name of the node's type; the root's is "all".
std::string_view name_of(const Change& node, const trace::Dictionary& names_a,
                         const trace::Dictionary& names_b);

// Compares two trees, given their traces' dictionaries. Fails if only one of the clocks relates to
// seconds. O(nodes + types). If stopped, the result is partial.
Result<FlameDifference> flame_difference(const FlameTree& a, const trace::Dictionary& names_a,
                                         const FlameTree& b, const trace::Dictionary& names_b,
                                         const std::stop_token& stop = {});

}  // namespace weft::query
