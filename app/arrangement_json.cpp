#include "app/arrangement_json.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

namespace weft::app {
namespace {

std::optional<LaneId> lane_in(const Json& json, size_t lane_count) {
  if (!json.is_number_unsigned() || json.get<uint64_t>() >= lane_count) return std::nullopt;
  return LaneId(json.get<uint32_t>());
}

std::vector<LaneId> lanes_in(const Json& json, const char* key, size_t lane_count) {
  std::vector<LaneId> lanes;
  const auto list = json.find(key);
  if (list == json.end() || !list->is_array()) return lanes;
  for (const Json& entry : *list) {
    const auto lane = lane_in(entry, lane_count);
    if (lane && std::ranges::find(lanes, *lane) == lanes.end()) lanes.push_back(*lane);
  }
  return lanes;
}

bool flag_in(const Json& json, const char* key) {
  const auto flag = json.find(key);
  return flag != json.end() && flag->is_boolean() && flag->get<bool>();
}

std::string text_in(const Json& json, const char* key) {
  const auto text = json.find(key);
  return text != json.end() && text->is_string() ? text->get<std::string>() : std::string();
}

}  // namespace

Json json_from_arrangement(const layout::LaneArrangement& arrangement) {
  Json json = Json::object();
  if (arrangement.sort != layout::LaneSort::kTrace) {
    json["sort"] = layout::name_of(arrangement.sort);
  }
  if (arrangement.is_flat) json["flat"] = true;
  if (arrangement.hides_empty) json["hides_empty"] = true;
  if (!arrangement.filter.empty()) json["filter"] = arrangement.filter;
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
  arrangement.hides_empty = flag_in(json, "hides_empty");
  arrangement.filter = text_in(json, "filter");
  for (const LaneId lane : lanes_in(json, "hidden", lane_count)) arrangement.hidden.insert(lane);
  arrangement.pinned = lanes_in(json, "pinned", lane_count);
  const auto moves = json.find("moves");
  if (moves == json.end() || !moves->is_array()) return arrangement;
  for (const Json& pair : *moves) {
    if (!pair.is_array() || pair.empty() || pair.size() > 2) continue;
    const auto lane = lane_in(pair[0], lane_count);
    const auto before = pair.size() == 2 ? lane_in(pair[1], lane_count) : LaneId::none();
    if (lane && before) arrangement.moves.push_back({*lane, *before});
  }
  return arrangement;
}

}  // namespace weft::app
