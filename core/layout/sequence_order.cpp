#include "core/layout/sequence_order.h"

#include <algorithm>
#include <map>
#include <utility>

namespace weft::layout {

SequenceOrder order_lanes(const query::Traffic& traffic, const ShownLanes& shown,
                          MessageOrder order, std::span<const LaneMove> moves) {
  std::vector<LaneId> lanes;  // by node
  std::map<LaneId, uint32_t> nodes;
  for (const LaneId lane : traffic.lanes) {
    const LaneId as = shown[lane.value()];
    if (!as.is_none() && nodes.emplace(as, static_cast<uint32_t>(lanes.size())).second)
      lanes.push_back(as);
  }
  std::map<std::pair<uint32_t, uint32_t>, double> messages;
  for (const query::PairTraffic& pair : traffic.pairs) {
    const LaneId source = shown[pair.source.value()], target = shown[pair.target.value()];
    if (source.is_none() || target.is_none() || source == target) continue;
    messages[std::minmax(nodes.at(source), nodes.at(target))] += static_cast<double>(pair.messages);
  }
  MessageGraph graph{static_cast<uint32_t>(lanes.size()), {}};
  for (const auto& [pair, count] : messages)
    graph.edges.push_back({pair.first, pair.second, count});
  std::vector<uint32_t> places = order_nodes(graph, order);
  for (const LaneMove& move : moves) {
    const auto node = nodes.find(move.lane);
    if (node == nodes.end() || move.lane == move.before) continue;
    const auto before = nodes.find(move.before);
    std::erase(places, node->second);
    places.insert(before == nodes.end() ? places.end() : std::ranges::find(places, before->second),
                  node->second);
  }
  SequenceOrder result;
  for (const uint32_t node : places) result.lanes.push_back(lanes[node]);
  result.length = static_cast<uint64_t>(total_length(graph, places));
  return result;
}

ShownLanes all_shown(const trace::Dictionary& dictionary) {
  ShownLanes shown;
  for (uint32_t lane = 0; lane < dictionary.lanes.size(); ++lane) shown.emplace_back(lane);
  return shown;
}

}  // namespace weft::layout
