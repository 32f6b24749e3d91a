#include "app/panels/traffic_figures.h"

#include <algorithm>
#include <map>
#include <set>

#include "core/query/percentiles.h"

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

// Figures of each group, by its id and peer; set_ids() says what they are of.
template <class Figures, class SetIds>
std::vector<Figures> measure_flows(const TrafficKey& key, const query::Selection& selection,
                                   query::GroupBy by, const query::Work& work,
                                   const SetIds& set_ids) {
  std::map<std::pair<uint32_t, uint32_t>, Figures> flows;
  const auto measure = [&](std::string_view id, bool has_percentiles, const auto& take) {
    const query::Metric& metric = *query::metric_from_id(id);
    query::Statistics statistics = metric.measure(*key.trace, selection, by, work);
    if (has_percentiles) add_percentiles(*key.trace, selection, by, metric, statistics, work);
    for (const query::Group& group : statistics.groups) {
      Figures& flow = flows[{group.id, group.peer.value()}];
      set_ids(flow, group);
      take(flow, group);
    }
  };
  measure("count", false, [](Figures& flow, const query::Group& g) { flow.messages = g.count; });
  measure("payload", false, [](Figures& flow, const query::Group& g) {
    flow.bytes = static_cast<uint64_t>(g.total);
  });
  measure("latency", true, [](Figures& flow, const query::Group& g) { flow.latency = g; });
  if (key.counts_unanswered) {
    measure("unanswered", false,
            [](Figures& flow, const query::Group& g) { flow.unanswered = g.count; });
  }
  std::vector<Figures> sorted;
  for (const auto& [ids, flow] : flows) sorted.push_back(flow);
  std::ranges::stable_sort(sorted, std::ranges::greater{}, &Figures::messages);
  return sorted;
}

}  // namespace

std::optional<TrafficFigures> measure_traffic(const TrafficKey& key, ThreadPool& pool,
                                              const std::stop_token& stop) {
  const query::Selection selection = links_of(key);
  const query::Work work(pool, stop);
  TrafficFigures figures{.key = key};
  figures.pairs = measure_flows<PairFigures>(key, selection, query::GroupBy::kPair, work,
                                             [](PairFigures& pair, const query::Group& group) {
                                               pair.source = LaneId(group.id);
                                               pair.target = group.peer;
                                             });
  if (key.by_type) {
    figures.types = measure_flows<TypeFigures>(
        key, selection, query::GroupBy::kType, work,
        [](TypeFigures& type, const query::Group& group) { type.type = EventTypeId(group.id); });
  }
  if (stop.stop_requested()) return std::nullopt;
  std::set<uint32_t> ends;
  for (const PairFigures& pair : figures.pairs) {
    figures.messages += pair.messages;
    if (pair.target.is_none()) figures.unreceived += pair.messages;
    if (pair.source.is_none()) figures.unsent += pair.messages;
    if (pair.is_complete()) ends.insert({pair.source.value(), pair.target.value()});
  }
  for (const LaneId lane : key.trace->dictionary().lanes_in_order()) {
    if (ends.contains(lane.value())) figures.lanes.push_back(lane);
  }
  return figures;
}

}  // namespace weft::app
