#include "core/query/metrics/percentiles.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <random>

#include "core/base/thread_pool.h"
#include "core/query/metrics/selection_statistics.h"
#include "tests/core/query/flat_events.h"

namespace weft::query {
namespace {

using testing_traces::build;
using testing_traces::Events;
using testing_traces::random_events;

// The values of each group, sorted, from the list of all events.
std::map<uint32_t, std::vector<int64_t>> plain_values(const std::vector<FlatEvent>& all,
                                                      const Selection& selection, GroupBy by,
                                                      std::string_view metric) {
  std::map<uint32_t, std::vector<int64_t>> values;
  for (const FlatEvent& event : all) {
    if (!is_in(selection, event)) continue;
    const auto& [row, record] = event;
    const uint32_t group = by == GroupBy::kType ? record.type.value() : row->lane.value();
    if (metric == "duration" && row->kind == store::RowKind::kState) {
      const int64_t begin = std::max(record.begin, selection.range.begin).ticks;
      values[group].push_back(std::min(record.end(), selection.range.end).ticks - begin);
    } else if (metric == "latency" && row->kind == store::RowKind::kLinkOut &&
               !record.peer.is_none()) {
      values[group].push_back(record.duration.ticks);
    }
  }
  for (auto& [group, of_group] : values) std::ranges::sort(of_group);
  return values;
}

int64_t plain_percentile(const std::vector<int64_t>& sorted, uint64_t percentile) {
  const uint64_t rank = (sorted.size() * percentile + 99) / 100;
  return sorted[rank - 1];
}

void expect_percentiles(const Statistics& found,
                        const std::map<uint32_t, std::vector<int64_t>>& values) {
  ASSERT_EQ(found.groups.size(), values.size());
  for (const Group& group : found.groups) {
    for (size_t p = 0; p < kPercentiles.size(); ++p) {
      EXPECT_EQ(group.percentiles[p], plain_percentile(values.at(group.id), kPercentiles[p]))
          << group.id << " p" << kPercentiles[p];
    }
  }
}

TEST(Percentiles, EqualThoseOfTheSortedValuesHoweverLittleMemory) {
  const ScratchFolder folder;
  const auto trace = build(random_events(51, 3, 6000), folder / "t.weft");
  const auto all = flat_events(*trace);
  std::mt19937_64 random(52);
  ThreadPool pool(2);
  for (int i = 0; i < 25; ++i) {
    SCOPED_TRACE(i);
    const Selection selection = i == 0 ? Selection::all(*trace) : random_selection(*trace, random);
    for (const GroupBy by : {GroupBy::kType, GroupBy::kLane}) {
      for (const std::string_view id : {"duration", "latency"}) {
        const Metric& metric = *metric_from_id(id);
        Statistics statistics = metric.measure(*trace, selection, by, pool);
        for (const uint64_t most_values : {3, 100, 1'000'000}) {
          add_percentiles(*trace, selection, by, metric, statistics, pool, {}, most_values);
          expect_percentiles(statistics, plain_values(all, selection, by, id));
        }
      }
    }
  }
}

TEST(Percentiles, HoldAtTheEndsOfTheNumbers) {
  Events events;
  const int64_t most = std::numeric_limits<int64_t>::max();
  const int64_t lengths[] = {0, 1, 7, 8, 9, 1'000'000'007, most / 2, most - 5000};
  int64_t begin = -2000;
  for (const int64_t length : lengths) {
    events.states.push_back({{begin++}, {length}, ParamsId::none(), LaneId(0), EventTypeId(0)});
  }
  const ScratchFolder folder;
  const auto trace = build(events, folder / "t.weft");
  ThreadPool pool(1);
  const Selection selection = Selection::all(*trace);
  const Metric& metric = *metric_from_id("duration");
  Statistics statistics = metric.measure(*trace, selection, GroupBy::kType, pool);
  add_percentiles(*trace, selection, GroupBy::kType, metric, statistics, pool, {}, 1);
  expect_percentiles(statistics,
                     plain_values(flat_events(*trace), selection, GroupBy::kType, "duration"));
}

// covers B-05
TEST(SelectionStatistics, HaveEveryFigureByTypeAndByLane) {
  const ScratchFolder folder;
  const auto trace = build(random_events(53, 3, 2000), folder / "t.weft");
  ThreadPool pool(2);
  std::mt19937_64 random(54);
  const Selection selection = random_selection(*trace, random);
  constexpr auto kState = trace::Category::kState;
  auto by_type = measure_selection(*trace, selection, kState, GroupBy::kType, pool);
  auto by_lane = measure_selection(*trace, selection, kState, GroupBy::kLane, pool);
  ASSERT_TRUE(by_type && by_lane);
  std::atomic<int> told = 0;
  for (auto& [by, statistics] :
       {std::pair(GroupBy::kType, &by_type->values), std::pair(GroupBy::kLane, &by_lane->values)}) {
    add_percentiles(*trace, selection, by, *value_metric_of(kState), *statistics, pool,
                    [&](double share) {
                      EXPECT_TRUE(share > 0 && share < 1) << share;
                      ++told;
                    });
  }
  EXPECT_GT(told, 0);
  const auto all = flat_events(*trace);
  expect_percentiles(by_type->values, plain_values(all, selection, GroupBy::kType, "duration"));
  expect_percentiles(by_lane->values, plain_values(all, selection, GroupBy::kLane, "duration"));
  const auto sum = [](const Statistics& statistics, int64_t Group::* figure) {
    int64_t total = 0;
    for (const Group& group : statistics.groups) total += group.*figure;
    return total;
  };
  EXPECT_EQ(sum(by_type->values, &Group::total), sum(by_lane->values, &Group::total));
  EXPECT_EQ(sum(by_type->values, &Group::self), sum(by_lane->values, &Group::self));
  std::stop_source source;
  source.request_stop();
  for (const auto category : {kState, trace::Category::kLink, trace::Category::kVariable}) {
    const Work stopped(pool, source.get_token());
    EXPECT_FALSE(measure_selection(*trace, selection, category, GroupBy::kType, stopped));
  }
}

}  // namespace
}  // namespace weft::query
