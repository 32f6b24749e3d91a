#include "core/query/metrics/group_names.h"

#include <unordered_map>

#include "core/trace/type_names.h"

namespace weft::query {

std::vector<std::string> names_of(std::span<const Group> groups, GroupBy by,
                                  const trace::Dictionary& dictionary) {
  if (by == GroupBy::kType) {
    std::vector<const trace::EventType*> types;
    for (const Group& group : groups) types.push_back(&dictionary.types[group.id]);
    return trace::distinct_names(types);
  }
  const auto path = [&](LaneId lane) {
    return lane.is_none() ? std::string("nowhere") : dictionary.path_text(lane);
  };
  std::vector<std::string> names;
  std::unordered_map<std::string, size_t> uses;
  for (const Group& group : groups) {
    names.push_back(path(LaneId(group.id)));
    if (by == GroupBy::kPair) names.back() += " → " + path(group.peer);
    ++uses[names.back()];
  }
  for (size_t i = 0; by == GroupBy::kLane && i < groups.size(); ++i) {
    if (uses[names[i]] > 1) names[i] += " · " + std::to_string(groups[i].id);
  }
  return names;
}

std::vector<std::string> names_of(std::span<const VariableFigures> variables,
                                  const trace::Dictionary& dictionary) {
  std::vector<const trace::EventType*> types;
  for (const VariableFigures& figures : variables)
    types.push_back(&dictionary.type(figures.variable));
  const bool is_by_lane = !variables.empty() && !variables.front().lane.is_none();
  if (!is_by_lane) return trace::distinct_names(types);
  std::vector<std::string> names;
  std::unordered_map<std::string, size_t> uses;
  for (size_t i = 0; i < variables.size(); ++i) {
    names.push_back(dictionary.path_text(variables[i].lane) + " · " + std::string(types[i]->name));
    ++uses[names.back()];
  }
  for (size_t i = 0; i < variables.size(); ++i) {
    if (uses[names[i]] > 1) names[i] += " · " + std::to_string(variables[i].lane.value());
  }
  return names;
}

std::vector<std::string> names_of(const TraceComparison& comparison, const trace::Dictionary& a,
                                  const trace::Dictionary& b) {
  std::vector<const trace::EventType*> types;
  std::vector<std::string> names;
  for (const Difference& row : comparison.rows) {
    names.push_back(row.name);
    if (!row.type_of_a.is_none())
      types.push_back(&a.type(row.type_of_a));
    else if (!row.type_of_b.is_none())
      types.push_back(&b.type(row.type_of_b));
  }
  return types.empty() ? names : trace::distinct_names(types);
}

}  // namespace weft::query
