// Figures by pair of lanes, held against a plain loop over all links.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>

#include "core/base/thread_pool.h"
#include "core/query/link_ends.h"
#include "core/query/metrics/metrics.h"
#include "core/query/metrics/percentiles.h"
#include "tests/core/query/flat_events.h"

namespace weft::query {
namespace {

using Pair = std::pair<uint32_t, uint32_t>;

TEST(PairMetrics, EqualAPlainLoopOverLinks) {
  const ScratchFolder folder;
  ThreadPool pool(2);
  std::mt19937_64 random(8);
  for (int i = 0; i < 25; ++i) {
    const auto trace = testing_traces::build(
        testing_traces::random_events(static_cast<uint32_t>(i), 4, 600), folder / "t.weft");
    const Selection selection = random_selection(*trace, random);
    std::map<std::string_view, std::map<Pair, std::vector<int64_t>>> values;
    for (const FlatEvent& event : flat_events(*trace)) {
      if (!is_link(event.row->kind) || !is_in(selection, event)) continue;
      const LinkEnds link = ends_of(event.row->kind, event.row->lane, event.record);
      const Pair pair = {link.source.value(), link.target.value()};
      values["count"][pair].push_back(1);
      if (link.is_sent() && link.is_received())
        values["latency"][pair].push_back(event.record.duration.ticks);
      const auto bytes = static_cast<int64_t>(trace->params(event.record.params).payload.size());
      if (bytes > 0) values["payload"][pair].push_back(bytes);
    }
    for (const std::string_view id : {"count", "latency", "payload"}) {
      const Metric& metric = *metric_from_id(id);
      Statistics found = metric.measure(*trace, selection, GroupBy::kPair, pool);
      // Little memory: percentiles take several passes.
      add_percentiles(*trace, selection, GroupBy::kPair, metric, found, pool, {}, 64);
      ASSERT_EQ(found.groups.size(), values[id].size()) << id;
      for (const Group& group : found.groups) {
        std::vector<int64_t>& of_pair = values[id].at({group.id, group.peer.value()});
        std::ranges::sort(of_pair);
        EXPECT_EQ(group.count, of_pair.size());
        EXPECT_EQ(group.min, of_pair.front());
        EXPECT_EQ(group.max, of_pair.back());
        for (size_t p = 0; p < kPercentiles.size(); ++p)
          EXPECT_EQ(group.percentiles[p],
                    of_pair[(of_pair.size() * kPercentiles[p] + 99) / 100 - 1]);
      }
    }
    EXPECT_TRUE(metric_from_id("duration")
                    ->measure(*trace, selection, GroupBy::kPair, pool)
                    .groups.empty());
  }
}

}  // namespace
}  // namespace weft::query
