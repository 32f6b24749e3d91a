// covers C-12: what differs between two traces is what a plain loop over both finds
#include "core/query/metrics/comparison.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "core/base/thread_pool.h"
#include "tests/core/query/flat_events.h"

namespace weft::query {
namespace {

using testing_traces::build;
using testing_traces::random_events;

// Figures by name: every state against the range; self time as in the metric.
std::map<std::string, Figures> plain_figures(const store::Trace& trace, TimeRange range,
                                             GroupBy by) {
  std::map<std::string, Figures> figures;
  for (const FlatEvent& event : flat_events(trace)) {
    if (event.row->kind != store::RowKind::kState) continue;
    if (!lies_in(*event.row, event.record, range)) continue;
    const Time begin = std::max(event.record.begin, range.begin);
    const Time end = std::min(event.record.end(), range.end);
    const trace::Dictionary& names = trace.dictionary();
    auto& [count, total, self, mean, most] =
        figures[by == GroupBy::kType ? std::string(names.type(event.record.type).name)
                                     : names.path_text(event.row->lane)];
    const auto ticks = static_cast<double>((end - begin).ticks);
    ++count;
    total += ticks;
    mean = total / count;
    most = std::max(most, ticks);
  }
  Selection selection = Selection::all(trace);
  selection.range = range;
  ThreadPool pool(2);
  for (const Group& group : metric_from_id("duration")->measure(trace, selection, by, pool).groups)
    figures[by == GroupBy::kType ? std::string(trace.dictionary().types[group.id].name)
                                 : trace.dictionary().path_text(LaneId(group.id))]
           [static_cast<size_t>(Measure::kSelf)] = static_cast<double>(group.self);
  return figures;
}

CompareSide side(const store::TracePtr& trace, TimeRange range) {
  Selection selection = Selection::all(*trace);
  selection.range = range;
  return {trace, selection};
}

TEST(Comparison, OfNothingThereIsNoMeanAndNoLongest) {
  const Figures nothing{}, one = {1, 0, 0, 0, 0};
  for (const Measure measure : {Measure::kMean, Measure::kMax}) {
    EXPECT_EQ(figure_of(nothing, measure), std::nullopt);
    EXPECT_EQ(figure_of(one, measure), 0);
  }
  EXPECT_EQ(figure_of(nothing, Measure::kTotal), 0);
}

TEST(Comparison, OfNumbersOnlyTheNumberSaysSomething) {
  for (const Metric& metric : metrics()) {
    const auto telling = telling_measures(metric);
    EXPECT_EQ(telling.size() == 1, metric.only_counts) << metric.id;
    EXPECT_EQ(telling.front(), Measure::kCount) << metric.id;
    const bool has_all = telling.size() == measures_of(metric).size();
    EXPECT_EQ(has_all, !metric.only_counts) << metric.id;
  }
}

TEST(Comparison, EqualsAPlainLoopOverBoth) {
  const ScratchFolder folder;
  const auto a = build(random_events(21, 3, 900), folder / "a.weft");
  const auto b = build(random_events(22, 4, 700), folder / "b.weft");
  ThreadPool pool(2);
  const auto part = [](const store::Trace& trace, int from, int to) {
    const int64_t length = trace.range().length().ticks;
    return TimeRange{trace.range().begin + Duration{length * from / 100},
                     trace.range().begin + Duration{length * to / 100 + 1}};
  };
  for (const auto& [from, to] : {std::pair(0, 100), std::pair(20, 60), std::pair(99, 100)}) {
    for (const GroupBy by : {GroupBy::kType, GroupBy::kLane}) {
      const TimeRange in_a = part(*a, from, to), in_b = part(*b, from / 2, to);
      const auto found =
          compare(side(a, in_a), side(b, in_b), *metric_from_id("duration"), by, pool);
      ASSERT_TRUE(found);
      auto of_a = plain_figures(*a, in_a, by), of_b = plain_figures(*b, in_b, by);
      double last = HUGE_VAL;
      for (const Difference& row : found->rows) {
        EXPECT_EQ(row.a, of_a[row.name]) << row.name;
        EXPECT_EQ(row.b, of_b[row.name]) << row.name;
        EXPECT_EQ(row.percent(Measure::kTotal).has_value(), of_a[row.name][1] > 0) << row.name;
        EXPECT_LE(std::fabs(row.of(Measure::kTotal)), last);
        last = std::fabs(row.of(Measure::kTotal));
        of_a.erase(row.name);
        of_b.erase(row.name);
      }
      EXPECT_TRUE(of_a.empty());
      EXPECT_TRUE(of_b.empty());
    }
  }
}

TEST(Comparison, OfATraceWithItselfHasNoDifference) {
  const ScratchFolder folder;
  const auto trace = build(random_events(23, 2, 300), folder / "t.weft");
  ThreadPool pool(2);
  const CompareSide all = side(trace, whole_range(*trace));
  const auto found = compare(all, all, *metric_from_id("duration"), GroupBy::kType, pool);
  ASSERT_TRUE(found);
  EXPECT_FALSE(found->rows.empty());
  for (const Difference& row : found->rows) {
    for (size_t i = 0; i < kMeasures; ++i) {
      EXPECT_EQ(row.of(static_cast<Measure>(i)), 0);
      EXPECT_EQ(row.percent(static_cast<Measure>(i)).value_or(0), 0);
    }
  }
}

}  // namespace
}  // namespace weft::query
