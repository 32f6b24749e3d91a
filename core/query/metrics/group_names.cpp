#include "core/query/metrics/group_names.h"

#include <functional>
#include <map>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "core/trace/type_names.h"

namespace weft::query {
namespace {

// Adds the numbers of their lanes to names that several share.
void tell_apart(std::vector<std::string>& names, const std::function<LaneId(size_t)>& lane_of) {
  std::unordered_map<std::string, size_t> uses;
  for (const std::string& name : names) ++uses[name];
  for (size_t i = 0; i < names.size(); ++i) {
    if (uses[names[i]] > 1) names[i] += " · " + std::to_string(lane_of(i).value());
  }
}

}  // namespace

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
  for (const Group& group : groups) {
    names.push_back(path(LaneId(group.id)));
    if (by == GroupBy::kPair) names.back() += " → " + path(group.peer);
  }
  if (by == GroupBy::kLane) tell_apart(names, [&](size_t i) { return LaneId(groups[i].id); });
  return names;
}

std::vector<std::string> lasting_names_of(std::span<const Group> groups, GroupBy by,
                                          const trace::Dictionary& dictionary) {
  std::vector<std::string> all;
  if (by == GroupBy::kType) {
    std::vector<const trace::EventType*> types;
    for (const trace::EventType& type : dictionary.types) types.push_back(&type);
    all = trace::distinct_names(types);
  } else {
    for (uint32_t i = 0; i < dictionary.lanes.size(); ++i)
      all.push_back(dictionary.path_text(LaneId(i)));
    tell_apart(all, [](size_t i) { return LaneId(static_cast<uint32_t>(i)); });
  }
  std::vector<std::string> names;
  for (const Group& group : groups) names.push_back(all[group.id]);
  return names;
}

std::vector<std::string> names_of(std::span<const VariableFigures> variables,
                                  const trace::Dictionary& dictionary) {
  std::vector<const trace::EventType*> types;
  for (const VariableFigures& figures : variables)
    types.push_back(&dictionary.type(figures.variable));
  const bool is_by_lane = !variables.empty() && !variables.front().lane.is_none();
  if (!is_by_lane) return trace::distinct_names(types);
  std::map<std::pair<LaneId, std::string_view>, size_t> uses;
  for (size_t i = 0; i < variables.size(); ++i) ++uses[{variables[i].lane, types[i]->name}];
  std::vector<std::string> names;
  for (size_t i = 0; i < variables.size(); ++i) {
    names.push_back(dictionary.path_text(variables[i].lane) + " · " + std::string(types[i]->name));
    const bool is_shared = uses[{variables[i].lane, types[i]->name}] > 1;
    if (is_shared && !types[i]->group.empty()) names.back() += " · " + std::string(types[i]->group);
  }
  tell_apart(names, [&](size_t i) { return variables[i].lane; });
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
