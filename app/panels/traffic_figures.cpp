#include "app/panels/traffic_figures.h"

#include <map>
#include <set>

#include "core/query/percentiles.h"

namespace weft::app {
namespace {

using Pair = std::pair<uint32_t, uint32_t>;

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

}  // namespace

std::optional<TrafficFigures> measure_pairs(const Scope& key, ThreadPool& pool,
                                            const std::stop_token& stop) {
  const query::Selection selection = links_of(key);
  const query::Work work(pool, stop);
  std::map<Pair, PairFigures> pairs;
  const auto measure = [&](std::string_view id, bool has_percentiles, const auto& take) {
    const query::Metric& metric = *query::metric_from_id(id);
    query::Statistics statistics =
        metric.measure(*key.trace, selection, query::GroupBy::kPair, work);
    if (has_percentiles)
      add_percentiles(*key.trace, selection, query::GroupBy::kPair, metric, statistics, work);
    for (const query::Group& group : statistics.groups) {
      PairFigures& pair = pairs[{group.id, group.peer.value()}];
      pair.source = LaneId(group.id);
      pair.target = group.peer;
      take(pair, group);
    }
  };
  measure("count", false,
          [](PairFigures& pair, const query::Group& g) { pair.messages = g.count; });
  measure("payload", false, [](PairFigures& pair, const query::Group& g) {
    pair.bytes = static_cast<uint64_t>(g.total);
  });
  measure("latency", true, [](PairFigures& pair, const query::Group& g) { pair.latency = g; });
  if (stop.stop_requested()) return std::nullopt;
  TrafficFigures figures{.key = key};
  std::set<uint32_t> ends;
  for (auto& [ids, pair] : pairs) {
    figures.messages += pair.messages;
    if (pair.target.is_none()) figures.unreceived += pair.messages;
    if (pair.source.is_none()) figures.unsent += pair.messages;
    if (pair.is_complete()) ends.insert({ids.first, ids.second});
    figures.pairs.push_back(pair);
  }
  std::ranges::stable_sort(figures.pairs, std::ranges::greater{}, &PairFigures::messages);
  for (const LaneId lane : key.trace->dictionary().lanes_in_order()) {
    if (ends.contains(lane.value())) figures.lanes.push_back(lane);
  }
  return figures;
}

}  // namespace weft::app
