// covers C-12, B-08: a difference of stacks is what both trees say, and what the table compares
#include "core/query/metrics/flame_difference.h"

#include <gtest/gtest.h>

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <stop_token>

#include "core/base/thread_pool.h"
#include "tests/core/query/flat_events.h"

namespace weft::query {
namespace {

using testing_traces::build;
using testing_traces::Events;
using testing_traces::random_events;

class FlameDifferenceTest : public ::testing::Test {
 protected:
  // Begin, end, type; nested as they lie.
  store::TracePtr stacks(const std::vector<std::tuple<int64_t, int64_t, uint32_t>>& states,
                         uint32_t types) {
    Events events;
    events.types = types;
    for (const auto& [begin, end, type] : states) {
      events.states.push_back(
          {{begin}, {end - begin}, ParamsId::none(), LaneId(0), EventTypeId(type)});
    }
    return build(events, folder_ / fmt::format("{}.weft", ++files_));
  }
  FlameDifference between(const CompareSide& a, const CompareSide& b) {
    a_ = a.trace;
    b_ = b.trace;
    const auto tree_a = flame_tree(*a.trace, a.selection, pool_);
    const auto tree_b = flame_tree(*b.trace, b.selection, pool_);
    return flame_difference(*tree_a, a.trace->dictionary(), *tree_b, b.trace->dictionary()).value();
  }
  static CompareSide whole(const store::TracePtr& trace) { return {trace, Selection::all(*trace)}; }
  // A name in the last two that were compared.
  std::string name_of(const Change& node) const {
    return std::string(query::name_of(node, a_->dictionary(), b_->dictionary()));
  }
  // "0>1 30 -> 20": the path, totals.
  std::vector<std::string> shown(const FlameDifference& difference) const {
    std::vector<std::string> lines;
    for (uint32_t i = 1; i < difference.nodes.size(); ++i) {
      std::string path;
      for (uint32_t at = i; at != 0; at = difference.tree[at].parent)
        path = name_of(difference.nodes[at]) + (path.empty() ? "" : ">") + path;
      const Change& of = difference.nodes[i];
      lines.push_back(fmt::format("{} {} -> {}", path, *figure_of(of.a, Measure::kTotal),
                                  *figure_of(of.b, Measure::kTotal)));
    }
    std::ranges::sort(lines);
    return lines;
  }

  ScratchFolder folder_;
  ThreadPool pool_{2};
  store::TracePtr a_, b_;
  int files_ = 0;
};

TEST_F(FlameDifferenceTest, HasThePathsOfBoth) {
  const auto a = stacks({{0, 100, 0}, {10, 40, 1}, {50, 60, 2}, {52, 55, 1}}, 3);
  const auto b = stacks({{0, 80, 0}, {10, 30, 1}, {12, 20, 3}, {90, 95, 3}}, 4);
  const auto name = [&](uint32_t type) { return std::string(b->dictionary().types[type].name); };
  const std::string t0 = name(0), t1 = name(1), t2 = name(2), t3 = name(3);
  const FlameDifference difference = between(whole(a), whole(b));
  std::vector<std::string> expected = {
      t0 + " 100 -> 80",
      t0 + ">" + t1 + " 30 -> 20",
      t0 + ">" + t1 + ">" + t3 + " 0 -> 8",
      t0 + ">" + t2 + " 10 -> 0",
      t0 + ">" + t2 + ">" + t1 + " 3 -> 0",
      t3 + " 0 -> 5",
  };
  std::ranges::sort(expected);
  EXPECT_EQ(shown(difference), expected);
  EXPECT_EQ(difference.gone, 10) << "the outermost only";
  EXPECT_EQ(difference.gone_paths, 2u);
  EXPECT_EQ(name_of(difference.nodes[0]), "all");
  EXPECT_EQ(difference.nodes[0].percent(Measure::kTotal), -15);
  EXPECT_EQ(difference.tree[0].total, 85);
  const uint32_t first = difference.tree.children(0)[0];
  EXPECT_EQ(name_of(difference.nodes[first]), t0) << "the largest of B first";
  // A stack that only A has keeps its name in the reverse comparison, too.
  EXPECT_EQ(between(whole(b), whole(a)).gone, 5 + 8);
}

TEST_F(FlameDifferenceTest, EndsWhenItIsStopped) {
  const auto a = build(random_events(1, 3, 3'000), folder_ / "a.weft");
  const auto tree = flame_tree(*a, Selection::all(*a), pool_);
  std::stop_source stop;
  stop.request_stop();
  EXPECT_GT(tree->nodes().size(), 1u);
  EXPECT_EQ(flame_difference(*tree, a->dictionary(), *tree, a->dictionary(), stop.get_token())
                .value()
                .nodes.size(),
            1u);
}

// Summed over the nodes of a type, whatever the ranges.
TEST_F(FlameDifferenceTest, AddsUpToTheComparison) {
  for (uint32_t seed = 0; seed < 6; ++seed) {
    const auto a = build(random_events(seed, 3, 3'000), folder_ / "a.weft");
    const auto b = build(random_events(seed + 100, 3, 2'500), folder_ / "b.weft");
    CompareSide of_a = whole(a), of_b = whole(b);
    const int64_t third = a->range().length().ticks / 3;
    if (seed % 2 == 1)
      of_a.selection.range = {a->range().begin, a->range().begin + Duration{third}};
    if (seed % 3 == 2) of_b = {a, of_a.selection};
    if (seed % 3 == 2) of_b.selection.range = {a->range().begin + Duration{third}, a->range().end};
    const FlameDifference difference = between(of_a, of_b);
    std::map<std::string, std::pair<Figures, Figures>> sums;
    for (size_t i = 1; i < difference.nodes.size(); ++i) {
      for (const Measure measure : {Measure::kCount, Measure::kTotal, Measure::kSelf}) {
        const auto at = static_cast<size_t>(measure);
        sums[name_of(difference.nodes[i])].first[at] += difference.nodes[i].a[at];
        sums[name_of(difference.nodes[i])].second[at] += difference.nodes[i].b[at];
      }
    }
    const auto table =
        compare(of_a, of_b, *metric_from_id("duration"), GroupBy::kType, {pool_, {}}).value();
    ASSERT_EQ(table.rows.size(), sums.size());
    for (const Difference& row : table.rows) {
      for (const Measure measure : {Measure::kCount, Measure::kTotal, Measure::kSelf}) {
        const auto at = static_cast<size_t>(measure);
        EXPECT_EQ(row.a[at], sums[row.name].first[at]) << seed << row.name;
        EXPECT_EQ(row.b[at], sums[row.name].second[at]) << seed << row.name;
      }
    }
  }
}

}  // namespace
}  // namespace weft::query
