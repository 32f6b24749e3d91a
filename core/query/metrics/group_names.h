// What the groups of a metric are called in a list, so that each can be told from the others.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/query/metrics/comparison.h"
#include "core/query/metrics/metrics.h"
#include "core/trace/model.h"

namespace weft::query {

// In their order: types as trace::distinct_names has them; lanes by their paths, with their number
// where several have one path; pairs of lanes as "a → b". O(groups).
std::vector<std::string> names_of(std::span<const Group> groups, GroupBy by,
                                  const trace::Dictionary& dictionary);
// The same of the rows of a comparison of traces with these dictionaries.
std::vector<std::string> names_of(const TraceComparison& comparison, const trace::Dictionary& a,
                                  const trace::Dictionary& b);

}  // namespace weft::query
