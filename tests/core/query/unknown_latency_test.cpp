// If both ends of every link have the same time, latencies were not measured: no view says 0.
#include <gtest/gtest.h>

#include "core/base/thread_pool.h"
#include "core/query/filter/filter_compiler.h"
#include "core/query/link_ends.h"
#include "core/query/messages/flows.h"
#include "core/query/metrics/duration_bins.h"
#include "core/query/metrics/metrics.h"
#include "tests/core/query/flat_events.h"

namespace weft::query {
namespace {

using testing_traces::build;
using testing_traces::Events;

class UnknownLatency : public ::testing::Test {
 protected:
  // Three links, of which the last takes so long.
  store::TracePtr links_that_take(int64_t last) {
    Events events;
    events.lanes = 2;
    events.add_state(0, 0, 100);
    events.add_link(0, 10, 1, 10);
    events.add_link(1, 20, 0, 20);
    events.add_link(0, 30, 1, 30 + last);
    return build(events, folder_ / "t.weft");
  }
  uint64_t count(const store::Trace& trace, std::string_view expression) {
    Selection selection = Selection::all(trace);
    const auto formula = compile_formula(expression, trace);
    EXPECT_TRUE(formula) << expression;
    if (formula) selection.narrow(trace, *formula);
    uint64_t sum = 0;
    const Metric& metric = *metric_from_id("count");
    for (const Group& group : metric.measure(trace, selection, GroupBy::kType, pool_).groups)
      sum += group.count;
    return sum;
  }

  testing_traces::ScratchFolder folder_;
  ThreadPool pool_{2};
};

TEST_F(UnknownLatency, IsKnownOfAllLinksOrOfNone) {
  for (const int64_t last : {0, 1, -1}) {
    const auto trace = links_that_take(last);
    EXPECT_EQ(trace->knows_latencies(), last != 0);
    const auto reopened = store::Trace::open(folder_ / "t.weft");
    ASSERT_TRUE(reopened);
    EXPECT_EQ((*reopened)->knows_latencies(), last != 0);
    for (const FlatEvent& event : flat_events(*trace)) {
      if (!is_link(event.row->kind)) continue;
      const LinkEnds ends = ends_of(event.row->kind, event.row->lane, event.record);
      EXPECT_EQ(latency_of(*trace, ends).has_value(), last != 0);
    }
  }
}

TEST_F(UnknownLatency, AddsUpToNothing) {
  for (const int64_t last : {0, 5}) {
    const auto trace = links_that_take(last);
    const uint64_t known = last == 0 ? 0 : 3;
    const Selection all = Selection::all(*trace);
    const Statistics sums = metric_from_id("latency")->measure(*trace, all, GroupBy::kType, pool_);
    EXPECT_EQ(sums.groups.size(), known == 0 ? 0U : 1U);
    const auto bins =
        duration_bins(*trace, all, LengthsOf::kMessages, BinScale::kLinear, 10, pool_);
    EXPECT_EQ(bins->count, known);
    const Flows flows = measure_flows(*trace, all, {}, pool_, [](const Flows&) {});
    ASSERT_EQ(flows.types.size(), 1U);
    EXPECT_EQ(flows.types[0].messages, 3U);
    EXPECT_EQ(flows.types[0].latencies.count(), known);
  }
}

TEST_F(UnknownLatency, ComparesWithNothing) {
  const auto unknown = links_that_take(0);
  for (const char* comparison : {"latency >= 0", "latency == 0", "latency != 7", "latency < 5"})
    EXPECT_EQ(count(*unknown, comparison), 0U) << comparison;
  EXPECT_EQ(count(*unknown, "category == link && not (latency >= 0)"), 3U);
  EXPECT_EQ(count(*unknown, "latency < 5 || category == link"), 3U);
  const auto known = links_that_take(5);
  EXPECT_EQ(count(*known, "latency == 0"), 2U);
  EXPECT_EQ(count(*known, "latency != 0"), 1U);
}

}  // namespace
}  // namespace weft::query
