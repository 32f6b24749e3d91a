// Names of a metric's groups in a list, such that they can be told apart.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/query/metrics/comparison.h"
#include "core/query/metrics/metrics.h"
#include "core/query/metrics/variable_figures.h"
#include "core/trace/model.h"

namespace weft::query {

// Returns the groups' names, in order: types as by trace::distinct_names(); lanes by path, with
// their number if several share it; pairs of lanes as "a → b". O(groups).
std::vector<std::string> names_of(std::span<const Group> groups, GroupBy by,
                                  const trace::Dictionary& dictionary);
// The same for variables: by type their names, by lane "a/b · variable".
std::vector<std::string> names_of(std::span<const VariableFigures> variables,
                                  const trace::Dictionary& dictionary);
// The same for the rows of a comparison of traces with these dictionaries.
std::vector<std::string> names_of(const TraceComparison& comparison, const trace::Dictionary& a,
                                  const trace::Dictionary& b);

}  // namespace weft::query
