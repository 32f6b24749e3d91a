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
// The same, but told apart from all types or lanes of the trace, so that a name always means the
// same one, whichever other groups there are. Not for pairs. O(types) or O(lanes).
std::vector<std::string> lasting_names_of(std::span<const Group> groups, GroupBy by,
                                          const trace::Dictionary& dictionary);
// As names_of() for variables: by type their names, by lane "a/b · variable", with the group of the
// variable if the lane has several of that name.
std::vector<std::string> names_of(std::span<const VariableFigures> variables,
                                  const trace::Dictionary& dictionary);
// The same for the rows of a comparison of traces with these dictionaries.
std::vector<std::string> names_of(const TraceComparison& comparison, const trace::Dictionary& a,
                                  const trace::Dictionary& b);

}  // namespace weft::query
