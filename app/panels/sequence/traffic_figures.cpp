#include "app/panels/sequence/traffic_figures.h"

#include <set>
#include <utility>

namespace weft::app {
namespace {

// Only links: nothing else is between lanes.
query::Selection links_of(const Scope& key) {
  query::Selection selection = selection_of(key);
  aggregate::Condition condition;
  condition.on = aggregate::Condition::On::kCategory;
  condition.ids.resize(trace::kCategoryCount);
  condition.ids[static_cast<size_t>(trace::Category::kLink)] = true;
  selection.narrow(*key.trace, aggregate::where(std::move(condition)));
  return selection;
}

TrafficFigures figures_of(const TrafficKey& key, query::Flows flows) {
  TrafficFigures figures{std::move(flows), key};
  std::set<uint32_t> ends;
  for (const query::PairFlow& pair : figures.pairs) {
    figures.messages += pair.messages;
    if (pair.target.is_none()) figures.unreceived += pair.messages;
    if (pair.source.is_none()) figures.unsent += pair.messages;
    if (pair.is_complete()) ends.insert({pair.source.value(), pair.target.value()});
  }
  for (const query::TypeFlow& type : figures.types) figures.latencies.merge(type.latencies);
  for (const LaneId lane : key.trace->dictionary().lanes_in_order()) {
    if (ends.contains(lane.value())) figures.lanes.push_back(lane);
  }
  return figures;
}

}  // namespace

std::optional<TrafficFigures> measure_traffic(const TrafficKey& key, ThreadPool& pool,
                                              const std::stop_token& stop,
                                              const std::function<void(TrafficFigures)>& publish) {
  query::Flows flows = query::measure_flows(
      *key.trace, links_of(key), {.unanswered = key.counts_unanswered}, {pool, stop},
      [&](query::Flows so_far) { publish(figures_of(key, std::move(so_far))); });
  if (stop.stop_requested()) return std::nullopt;
  return figures_of(key, std::move(flows));
}

}  // namespace weft::app
