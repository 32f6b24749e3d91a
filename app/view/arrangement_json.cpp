#include "app/view/arrangement_json.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <vector>

namespace weft::app {
namespace {

using Groups = std::span<const layout::LaneGroup>;

std::vector<LaneId> lanes_in(const Json& json, const char* key, size_t lane_count, Groups groups) {
  std::vector<LaneId> lanes;
  const auto list = json.find(key);
  if (list == json.end() || !list->is_array()) return lanes;
  for (const Json& entry : *list) {
    const auto lane = lane_from_json(entry, lane_count, groups);
    if (lane && std::ranges::find(lanes, *lane) == lanes.end()) lanes.push_back(*lane);
  }
  return lanes;
}

// Each lane in one of them at most, and none of them without lanes.
std::vector<layout::LaneGroup> groups_in(const Json& json, size_t lane_count) {
  std::vector<layout::LaneGroup> groups;
  const auto list = json.find("groups");
  if (list == json.end() || !list->is_array()) return groups;
  for (const Json& entry : *list) {
    if (!entry.is_object() || groups.size() == layout::kMostGroups) continue;
    layout::LaneGroup group;
    const Json number = entry.value("number", Json());
    if (!number.is_number_unsigned() || number.get<uint64_t>() >= layout::kMostGroups) continue;
    group.number = number.get<uint32_t>();
    group.name = text_in(entry, "name");
    for (const LaneId lane : lanes_in(entry, "lanes", lane_count, {})) {
      const bool is_taken = std::ranges::any_of(groups, [&](const layout::LaneGroup& other) {
        return layout::has_lane(other.lanes, lane);
      });
      if (!is_taken) group.lanes.push_back(lane);
    }
    const bool is_new =
        std::ranges::find(groups, group.number, &layout::LaneGroup::number) == groups.end() &&
        std::ranges::find(groups, group.name, &layout::LaneGroup::name) == groups.end();
    if (is_new && !group.name.empty() && !group.lanes.empty()) groups.push_back(std::move(group));
  }
  return groups;
}

}  // namespace

std::optional<LaneId> lane_from_json(const Json& json, size_t lane_count, Groups groups) {
  if (!json.is_number_unsigned() || json.get<uint64_t>() >= LaneId::none().value()) {
    return std::nullopt;
  }
  const LaneId lane(json.get<uint32_t>());
  const bool is_there = lane.value() < lane_count || layout::find_group(groups, lane);
  return is_there ? std::optional(lane) : std::nullopt;
}

Json json_from_arrangement(const layout::LaneArrangement& arrangement) {
  Json json = Json::object();
  if (arrangement.sort != layout::LaneSort::kTrace) {
    json["sort"] = layout::name_of(arrangement.sort);
  }
  if (arrangement.is_flat) json["flat"] = true;
  if (arrangement.levels != 0) json["levels"] = arrangement.levels;
  if (arrangement.shows_eventless) json["shows_eventless"] = true;
  if (arrangement.hides_empty) json["hides_empty"] = true;
  if (!arrangement.filter.empty()) json["filter"] = arrangement.filter;
  for (const layout::LaneGroup& group : arrangement.groups) {
    Json lanes = Json::array();
    for (const LaneId lane : group.lanes) lanes.push_back(lane.value());
    json["groups"].push_back({{"number", group.number}, {"name", group.name}, {"lanes", lanes}});
  }
  std::vector<LaneId> hidden(arrangement.hidden.begin(), arrangement.hidden.end());
  std::ranges::sort(hidden);  // the same arrangement, the same text
  for (const LaneId lane : hidden) json["hidden"].push_back(lane.value());
  for (const LaneId lane : arrangement.pinned) json["pinned"].push_back(lane.value());
  for (const layout::LaneMove& move : arrangement.moves) {
    Json pair = {move.lane.value()};
    if (!move.before.is_none()) pair.push_back(move.before.value());
    json["moves"].push_back(std::move(pair));
  }
  return json;
}

layout::LaneArrangement arrangement_from_json(const Json& json, size_t lane_count) {
  layout::LaneArrangement arrangement;
  if (!json.is_object()) return arrangement;
  arrangement.sort =
      layout::lane_sort_from_name(text_in(json, "sort")).value_or(layout::LaneSort::kTrace);
  arrangement.is_flat = flag_in(json, "flat");
  const auto levels = json.find("levels");
  if (levels != json.end() && levels->is_number_unsigned())
    arrangement.levels = levels->get<uint32_t>();
  arrangement.shows_eventless = flag_in(json, "shows_eventless");
  arrangement.hides_empty = flag_in(json, "hides_empty");
  arrangement.filter = text_in(json, "filter");
  arrangement.groups = groups_in(json, lane_count);
  const Groups groups = arrangement.groups;
  for (const LaneId lane : lanes_in(json, "hidden", lane_count, groups)) {
    arrangement.hidden.insert(lane);
  }
  arrangement.pinned = lanes_in(json, "pinned", lane_count, groups);
  const auto moves = json.find("moves");
  if (moves == json.end() || !moves->is_array()) return arrangement;
  for (const Json& pair : *moves) {
    if (!pair.is_array() || pair.empty() || pair.size() > 2) continue;
    const auto lane = lane_from_json(pair[0], lane_count, groups);
    const auto before =
        pair.size() == 2 ? lane_from_json(pair[1], lane_count, groups) : LaneId::none();
    if (lane && before) arrangement.moves.push_back({*lane, *before});
  }
  return arrangement;
}

}  // namespace weft::app
