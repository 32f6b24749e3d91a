#include "core/query/metrics/metrics.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>

#include "core/base/thread_pool.h"
#include "core/query/metrics/active_time.h"
#include "tests/core/query/flat_events.h"

namespace weft::query {
namespace {

using testing_traces::build;
using testing_traces::Events;
using testing_traces::random_events;

// The metric as metrics.h defines it, tick by tick of thought: every event against every other.
class PlainLoop {
 public:
  PlainLoop(const std::vector<FlatEvent>& all, const Selection& selection, GroupBy by)
      : all_(all), selection_(selection), by_(by) {}

  Statistics durations() {
    for (const FlatEvent& event : all_) {
      if (event.row->kind != store::RowKind::kState || !is_in(selection_, event)) continue;
      const TimeRange clipped = clip(event.record);
      Group& group = add(event, clipped.length().ticks);
      group.self += clipped.length().ticks - covered_by_children(event, clipped);
    }
    return finish();
  }

  Statistics counts() {
    for (const FlatEvent& event : all_) {
      if (is_in(selection_, event)) add(event, 1);
    }
    return finish();
  }

  Statistics latencies() {
    for (const FlatEvent& event : all_) {
      if (event.row->kind == store::RowKind::kLinkOut && is_in(selection_, event) &&
          !event.record.peer.is_none()) {
        add(event, event.record.duration.ticks);
      }
    }
    return finish();
  }

 private:
  TimeRange clip(const store::Record& record) const {
    return {std::max(record.begin, selection_.range.begin),
            std::min(record.end(), selection_.range.end)};
  }

  Group& add(const FlatEvent& event, int64_t value) {
    const uint32_t id = by_ == GroupBy::kType ? event.record.type.value() : event.row->lane.value();
    const auto [it, is_new] = groups_.try_emplace(id, Group{.id = id, .min = value, .max = value});
    Group& group = it->second;
    ++group.count;
    group.total += value;
    group.min = std::min(group.min, value);
    group.max = std::max(group.max, value);
    ++result_.histogram[histogram_bin(value)];
    return group;
  }

  int64_t covered_by_children(const FlatEvent& parent, TimeRange clipped) const {
    int64_t covered = 0;
    for (const FlatEvent& child : all_) {
      if (child.row->kind != store::RowKind::kState || child.row->lane != parent.row->lane ||
          child.row->depth != parent.row->depth + 1) {
        continue;
      }
      const int64_t begin = std::max(child.record.begin, clipped.begin).ticks;
      const int64_t end = std::min(child.record.end(), clipped.end).ticks;
      covered += std::max<int64_t>(0, end - begin);
    }
    return covered;
  }

  Statistics finish() {
    for (const auto& [id, group] : groups_) {
      result_.groups.push_back(group);
      result_.sum += static_cast<double>(group.total);
    }
    std::ranges::stable_sort(result_.groups, std::ranges::greater{}, &Group::total);
    return result_;
  }

  const std::vector<FlatEvent>& all_;
  const Selection& selection_;
  GroupBy by_;
  std::map<uint32_t, Group> groups_;
  Statistics result_;
};

void expect_equal(const Statistics& found, const Statistics& expected, bool has_self) {
  EXPECT_EQ(found.histogram, expected.histogram);
  EXPECT_DOUBLE_EQ(found.sum, expected.sum);
  ASSERT_EQ(found.groups.size(), expected.groups.size());
  for (size_t i = 0; i < found.groups.size(); ++i) {
    const Group& f = found.groups[i];
    const Group& e = expected.groups[i];
    EXPECT_EQ(std::tuple(f.id, f.count, f.total, f.min, f.max),
              std::tuple(e.id, e.count, e.total, e.min, e.max));
    if (has_self) {
      EXPECT_EQ(f.self, e.self) << f.id;
    }
  }
}

// Tick by tick: which groups have a state running.
std::map<uint32_t, std::pair<uint64_t, int64_t>> active_ticks(const std::vector<FlatEvent>& all,
                                                              const Selection& selection,
                                                              GroupBy by) {
  std::map<std::pair<LaneId, uint32_t>, std::set<int64_t>> ticks;  // by lane and group
  std::map<uint32_t, std::pair<uint64_t, int64_t>> active;         // count, total
  for (const FlatEvent& event : all) {
    if (event.row->kind != store::RowKind::kState || !is_in(selection, event)) continue;
    const uint32_t group =
        by == GroupBy::kType ? event.record.type.value() : event.row->lane.value();
    ++active[group].first;
    const Time end = std::min(event.record.end(), selection.range.end);
    for (Time t = std::max(event.record.begin, selection.range.begin); t < end; ++t.ticks) {
      if (ticks[{event.row->lane, group}].insert(t.ticks).second) ++active[group].second;
    }
  }
  return active;
}

TEST(ActiveTime, IsEveryTickInWhichAStateRunsOnce) {
  const ScratchFolder folder;
  const auto trace = build(random_events(11, 3, 60), folder / "t.weft");
  const auto all = flat_events(*trace);
  std::mt19937_64 random(12);
  ThreadPool pool(2);
  for (int i = 0; i < 12; ++i) {
    SCOPED_TRACE(i);
    const Selection selection = i == 0 ? Selection::all(*trace) : random_selection(*trace, random);
    for (const GroupBy by : {GroupBy::kType, GroupBy::kLane}) {
      const auto expected = active_ticks(all, selection, by);
      const Statistics found = active_time(*trace, selection, by, pool);
      ASSERT_EQ(found.groups.size(), expected.size());
      for (const Group& group : found.groups) {
        EXPECT_EQ(std::pair(group.count, group.total), expected.at(group.id)) << group.id;
      }
    }
  }
}

TEST(Metrics, GiveUpWhereTheyAreStopped) {
  const ScratchFolder folder;
  const auto trace = build(random_events(5, 3, 900), folder / "t.weft");
  ThreadPool pool(2);
  std::stop_source stop;
  stop.request_stop();
  for (const Metric& metric : metrics()) {
    const Work work(pool, stop.get_token());
    EXPECT_TRUE(
        metric.measure(*trace, Selection::all(*trace), GroupBy::kType, work).groups.empty());
  }
}

// covers B-05
TEST(Metrics, EqualAPlainLoopOverAnySelection) {
  const ScratchFolder folder;
  const auto trace = build(random_events(5, 3, 900), folder / "t.weft");
  const auto all = flat_events(*trace);
  std::mt19937_64 random(6);
  ThreadPool pool(2);
  for (int i = 0; i < 40; ++i) {
    SCOPED_TRACE(i);
    const Selection selection = i == 0 ? Selection::all(*trace) : random_selection(*trace, random);
    for (const GroupBy by : {GroupBy::kType, GroupBy::kLane}) {
      const auto measure = [&](std::string_view id) {
        return metric_from_id(id)->measure(*trace, selection, by, pool);
      };
      expect_equal(measure("duration"), PlainLoop(all, selection, by).durations(), true);
      expect_equal(measure("count"), PlainLoop(all, selection, by).counts(), false);
      expect_equal(measure("latency"), PlainLoop(all, selection, by).latencies(), false);
    }
  }
}

// Work that overlaps is on rows that do not nest: states reach over the borders of those above
// them.
TEST(Metrics, EqualAPlainLoopWhereStatesOverlap) {
  Events events;
  events.lanes = 3;
  std::mt19937_64 random(8);
  for (int i = 0; i < 800; ++i) {
    const auto begin = static_cast<int64_t>(random() % 4000);
    events.add_state(i % 2, begin, begin + static_cast<int64_t>(random() % (random() % 40 + 1)));
  }
  events.add_state(2, 3990, std::numeric_limits<int64_t>::max());
  events.add_state(2, 4000, 4010);
  const ScratchFolder folder;
  const auto trace = build(events, folder / "t.weft");
  const auto all = flat_events(*trace);
  ThreadPool pool(2);
  for (int i = 0; i < 40; ++i) {
    SCOPED_TRACE(i);
    const Selection selection = i == 0 ? Selection::all(*trace) : random_selection(*trace, random);
    const Statistics found =
        metric_from_id("duration")->measure(*trace, selection, GroupBy::kLane, pool);
    expect_equal(found, PlainLoop(all, selection, GroupBy::kLane).durations(), true);
  }
}

// Large enough for several windows per lane; here self time is checked by its sum.
TEST(Metrics, DoNotDependOnHowTheWorkIsCut) {
  const ScratchFolder folder;
  const auto trace = build(random_events(7, 2, 200'000), folder / "t.weft");
  const auto all = flat_events(*trace);
  ThreadPool pool(3);
  const Selection selection = Selection::all(*trace);
  const Statistics found =
      metric_from_id("duration")->measure(*trace, selection, GroupBy::kLane, pool);
  std::map<uint32_t, int64_t> total, outermost;
  for (const FlatEvent& event : all) {
    if (event.row->kind != store::RowKind::kState) continue;
    total[event.row->lane.value()] += event.record.duration.ticks;
    if (event.row->depth == 0) outermost[event.row->lane.value()] += event.record.duration.ticks;
  }
  ASSERT_EQ(found.groups.size(), 2u);
  for (const Group& group : found.groups) {
    EXPECT_EQ(group.total, total[group.id]);
    // States lie within those of the depth above, so their own times add up to the outermost ones.
    EXPECT_EQ(group.self, outermost[group.id]);
  }
}

TEST(Metrics, SaturateInsteadOfOverflowing) {
  constexpr int64_t kHuge = std::numeric_limits<int64_t>::max() / 4 * 3;
  Events events;
  events.lanes = 2;
  for (uint32_t lane = 0; lane < 2; ++lane) {
    events.states.push_back({{0}, {kHuge}, ParamsId::none(), LaneId(lane), EventTypeId(0)});
  }
  const ScratchFolder folder;
  const auto trace = build(events, folder / "t.weft");
  ThreadPool pool(2);
  const auto found =
      metric_from_id("duration")->measure(*trace, Selection::all(*trace), GroupBy::kType, pool);
  ASSERT_EQ(found.groups.size(), 1u);
  EXPECT_EQ(found.groups[0].total, std::numeric_limits<int64_t>::max());
  EXPECT_EQ(found.groups[0].max, kHuge);
}

TEST(Metrics, HistogramBinsArePowersOfTwo) {
  EXPECT_EQ(histogram_bin(-5), 0u);
  EXPECT_EQ(histogram_bin(0), 0u);
  EXPECT_EQ(histogram_bin(1), 1u);
  EXPECT_EQ(histogram_bin(2), 2u);
  EXPECT_EQ(histogram_bin(3), 2u);
  EXPECT_EQ(histogram_bin(4), 3u);
  EXPECT_EQ(histogram_bin(std::numeric_limits<int64_t>::max()), kHistogramBins - 1);
}

TEST(Metrics, AreFoundById) {
  for (const Metric& metric : metrics()) EXPECT_EQ(metric_from_id(metric.id), &metric);
  EXPECT_EQ(metric_from_id("beauty"), nullptr);
}

}  // namespace
}  // namespace weft::query
