// Traffic in one pass, against a loop over a flat list of all events. covers TM-53
#include "core/query/messages/flows.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>

#include "core/base/thread_pool.h"
#include "core/query/link_ends.h"
#include "core/query/metrics/group_histograms.h"
#include "core/query/metrics/metrics.h"
#include "tests/core/query/flat_events.h"

namespace weft::query {
namespace {

using testing_traces::build;
using testing_traces::Events;
using testing_traces::random_events;

struct Expected {
  uint64_t messages = 0;
  std::vector<int64_t> latencies;
};

void expect_flow(const Flow& flow, Expected expected) {
  EXPECT_EQ(flow.messages, expected.messages);
  ASSERT_EQ(flow.latencies.count(), expected.latencies.size());
  if (expected.latencies.empty()) return;
  std::ranges::sort(expected.latencies);
  EXPECT_EQ(flow.latencies.least(), expected.latencies.front());
  EXPECT_EQ(flow.latencies.most(), expected.latencies.back());
}

TEST(Flows, EqualAPlainLoopOverLinks) {
  const ScratchFolder folder;
  ThreadPool pool(2);
  std::mt19937_64 random(8);
  for (uint32_t seed = 0; seed < 40; ++seed) {
    Events events = random_events(seed, 4, 400);
    for (size_t i = 0; i < events.links.size(); i += 7) events.links[i].target = LaneId::none();
    for (size_t i = 3; i < events.links.size(); i += 7) events.links[i].source = LaneId::none();
    const auto trace = build(events, folder / "t.weft");
    const Selection selection = random_selection(*trace, random);
    std::map<std::pair<LaneId, LaneId>, Expected> pairs;
    std::map<EventTypeId, Expected> types;
    for (const FlatEvent& event : flat_events(*trace)) {
      if (!is_link(event.row->kind) || !is_in(selection, event)) continue;
      const LinkEnds ends = ends_of(event.row->kind, event.row->lane, event.record);
      for (Expected* const of : {&pairs[{ends.source, ends.target}], &types[ends.type]}) {
        ++of->messages;
        if (ends.is_sent() && ends.is_received())
          of->latencies.push_back((ends.receive - ends.send).ticks);
      }
    }
    const Flows flows = measure_flows(*trace, selection, {}, pool, [](const Flows&) {});
    EXPECT_EQ(flows.share, 1);
    ASSERT_EQ(flows.pairs.size(), pairs.size());
    for (const PairFlow& pair : flows.pairs) expect_flow(pair, pairs[{pair.source, pair.target}]);
    ASSERT_EQ(flows.types.size(), types.size());
    for (const TypeFlow& type : flows.types) expect_flow(type, types[type.type]);
    EXPECT_TRUE(std::ranges::is_sorted(flows.pairs, std::ranges::greater{}, &PairFlow::messages));
  }
}

TEST(Flows, CountWhatIsUnansweredAsTheMetricDoes) {
  const ScratchFolder folder;
  ThreadPool pool(2);
  const auto trace = build(random_events(3, 4, 4000), folder / "t.weft");
  const Selection all = Selection::all(*trace);
  const Flows flows = measure_flows(*trace, all, {.unanswered = true}, pool, [](const Flows&) {});
  const Statistics statistics =
      metric_from_id("unanswered")->measure(*trace, all, GroupBy::kPair, pool);
  uint64_t unanswered = 0;
  for (const PairFlow& pair : flows.pairs) {
    unanswered += pair.unanswered;
    const auto group = std::ranges::find_if(statistics.groups, [&](const Group& g) {
      return LaneId(g.id) == pair.source && g.peer == pair.target;
    });
    EXPECT_EQ(pair.unanswered, group == statistics.groups.end() ? 0 : group->count);
  }
  EXPECT_GT(unanswered, 0U);
}

// Enough events for as many windows as rounds.
TEST(Flows, TellWhatHasBeenReadSoFar) {
  const ScratchFolder folder;
  ThreadPool pool(2);
  Events events;
  events.lanes = 70;
  for (int64_t i = 0; i < 20'000; ++i) {
    const auto lane = static_cast<uint32_t>(i % 70);
    events.add_link(lane, 10 * i, (lane + 1) % 70, 10 * i + 5);
  }
  const auto trace = build(events, folder / "t.weft");
  std::vector<uint64_t> messages;
  double share = 0;
  const Flows flows =
      measure_flows(*trace, Selection::all(*trace), {}, pool, [&](const Flows& so_far) {
        EXPECT_GT(so_far.share, share);
        EXPECT_LT(so_far.share, 1);
        share = so_far.share;
        uint64_t sum = 0;
        for (const PairFlow& pair : so_far.pairs) sum += pair.messages;
        messages.push_back(sum);
      });
  ASSERT_GE(messages.size(), 3U);
  EXPECT_TRUE(std::ranges::is_sorted(messages));
  EXPECT_GT(messages.front(), 0U);
  EXPECT_LT(messages.front(), 20'000U / 8);
  EXPECT_EQ(flows.types.front().messages, 20'000U);
}

TEST(GroupHistograms, AddUpToThatOfAllAndToTheCounts) {
  const ScratchFolder folder;
  ThreadPool pool(2);
  std::mt19937_64 random(5);
  for (uint32_t seed = 0; seed < 10; ++seed) {
    const auto trace = build(random_events(seed, 3, 2000), folder / "t.weft");
    const Selection selection = random_selection(*trace, random);
    for (const GroupBy by : {GroupBy::kType, GroupBy::kLane, GroupBy::kPair}) {
      for (const std::string_view id : {"duration", "latency"}) {
        if (by == GroupBy::kPair && id == "duration") continue;
        const Metric& metric = *metric_from_id(id);
        const Statistics statistics = metric.measure(*trace, selection, by, pool);
        const auto histograms = group_histograms(*trace, selection, by, metric, statistics, pool);
        ASSERT_EQ(histograms.size(), statistics.groups.size());
        Histogram sum{};
        for (size_t g = 0; g < histograms.size(); ++g) {
          uint64_t count = 0;
          for (size_t i = 0; i < sum.size(); ++i) {
            sum[i] += histograms[g][i];
            count += histograms[g][i];
          }
          EXPECT_EQ(count, statistics.groups[g].count);
        }
        EXPECT_EQ(sum, statistics.histogram);
      }
    }
  }
}

}  // namespace
}  // namespace weft::query
