// The slices that statistics panels show of what was measured. covers FS-13, FS-14, FS-43, FS-44,
// FS-47, FS-57
#include "app/panels/figures/slices.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "app/base/json.h"
#include "app/session/commands.h"
#include "app/session/option_choices.h"
#include "core/query/event_stream.h"
#include "tests/app/sample_trace.h"

namespace weft::app {
namespace {

// Values by name; shown as counts.
std::shared_ptr<const Measured> measured(const std::vector<std::pair<std::string, int>>& values) {
  auto measured = std::make_shared<Measured>();
  measured->key.metric = &slice_metrics().front();
  for (const auto& [name, value] : values) {
    query::Group group;
    group.id = static_cast<uint32_t>(measured->items.size());
    group.count = static_cast<uint64_t>(value);
    measured->items.push_back({name, group, static_cast<double>(value)});
  }
  return measured;
}

// "a 600 60%", parts indented by a blank.
std::vector<std::string> shown(const SliceTable& table) {
  std::vector<std::string> lines;
  for (const Slice& slice : table.rows) {
    lines.push_back(std::string(static_cast<size_t>(slice.level), ' ') + slice.name + " " +
                    std::to_string(std::lround(slice.value)) + " " +
                    std::to_string(std::lround(100 * slice.share)) + "%");
  }
  return lines;
}

SliceTable arranged(const std::vector<std::pair<std::string, int>>& values, const Json& options) {
  return arrange_slices({measured(values), slice_options(options)});
}

using Shown = std::vector<std::string>;

TEST(Slices, TheOptionOfTheirMetricTakesEveryMetric) {
  for (const SliceMetric& metric : slice_metrics())
    EXPECT_TRUE(has_choice(kSliceMetrics, metric.id)) << metric.id;
  EXPECT_EQ(std::size(kSliceMetrics), slice_metrics().size());
}

TEST(Slices, AreFilteredByTheirFigures) {
  const Json options = {{"filters", {{"count", "> 20"}}}};
  const SliceTable table = arranged({{"a", 600}, {"b", 20}, {"c", 300}}, options);
  EXPECT_EQ(shown(table), (Shown{"a 600 65%", "c 300 33%"}));
  EXPECT_EQ(table.matched, 2u);
}

TEST(Slices, ValuesBelowZeroHaveNoShare) {
  const SliceTable table = arranged({{"late", 300}, {"early", -290}, {"on time", 100}}, {});
  EXPECT_EQ(shown(table), (Shown{"late 300 75%", "on time 100 25%", "early -290 0%"}));
  EXPECT_EQ(table.pie.size(), 2u);
  EXPECT_EQ(table.sum, 110);
}

TEST(Slices, BelowOnePercentBecomeAFolderThatLosesNothing) {
  const std::vector<std::pair<std::string, int>> values = {
      {"a", 600}, {"s", 3}, {"b", 391}, {"t", 4}, {"u", 2}};
  EXPECT_EQ(shown(arranged(values, Json::object())),
            (Shown{"a 600 60%", "b 391 39%", "Aggregated 9 1%"}));
  const SliceTable open = arranged(values, {{"open", {"Aggregated"}}});
  EXPECT_EQ(shown(open),
            (Shown{"a 600 60%", "b 391 39%", "Aggregated 9 1%", " t 4 0%", " s 3 0%", " u 2 0%"}));
  EXPECT_EQ(open.matched, 5u);
  EXPECT_EQ(open.total, 5u);
  double share = 0;
  for (const Slice& slice : open.pie) share += slice.share;
  EXPECT_DOUBLE_EQ(share, 1);
}

// covers FS-14
TEST(Slices, OfTenThousandEachIsListedInTheFolder) {
  std::vector<std::pair<std::string, int>> values;
  for (int i = 0; i < 10'000; ++i) values.emplace_back("t" + std::to_string(i), 10);
  values[4'000].second = 2'000;
  values[7'000].second = 9'000;
  const SliceTable table = arranged(values, {{"open", {"Aggregated"}}});
  ASSERT_EQ(table.pie.size(), 3u);
  EXPECT_EQ(table.pie[0].name, "t7000");
  EXPECT_EQ(table.pie[1].name, "t4000");
  EXPECT_EQ(table.pie[2].kind, Slice::Kind::kAggregated);
  EXPECT_EQ(table.pie[2].part_count, 9'998u);
  EXPECT_EQ(table.rows.size(), 10'001u);
  double sum = 0;
  for (const Slice& row : table.rows) sum += row.parts.empty() ? row.value : 0;
  EXPECT_EQ(sum, table.sum);
}

// covers FS-14
TEST(Slices, BelowOnePercentAreGatheredHoweverFewTheyAreAndMuchTogether) {
  std::vector<std::pair<std::string, int>> values = {{"large", 883}};
  for (int i = 0; i < 13; ++i) values.emplace_back("small " + std::to_string(i), 9);
  EXPECT_EQ(shown(arranged(values, {})), (Shown{"large 883 88%", "Aggregated 117 12%"}));
  for (auto& value : values) value.second = value.first == "large" ? 970 : 2;
  EXPECT_EQ(shown(arranged(values, {})), (Shown{"large 970 97%", "Aggregated 26 3%"}));
  values.assign(200, {"", 1});
  for (size_t i = 0; i < values.size(); ++i) values[i].first = "t" + std::to_string(i);
  EXPECT_EQ(shown(arranged(values, {})), (Shown{"Aggregated 200 100%"}));
}

TEST(Slices, ASingleSmallOneStaysWhatItIs) {
  EXPECT_EQ(shown(arranged({{"a", 999}, {"b", 1}}, Json::object())),
            (Shown{"a 999 100%", "b 1 0%"}));
}

TEST(Slices, ExcludedOnesDoNotCount) {
  EXPECT_EQ(shown(arranged({{"idle", 900}, {"a", 75}, {"b", 25}},
                           {{"excluded", {"idle"}}, {"open", {"Excluded"}}})),
            (Shown{"a 75 75%", "b 25 25%", "Excluded 900 0%", " idle 900 0%"}));
}

TEST(Slices, MergedOnesAreOneSliceOfTheirOwnColor) {
  const Json options = {{"merged", {{{"name", "X"}, {"color", "#4e79a7"}, {"of", {"a", "c"}}}}}};
  const SliceTable table = arranged({{"a", 20}, {"b", 50}, {"c", 30}}, options);
  EXPECT_EQ(shown(table), (Shown{"b 50 50%", "X 50 50%"}));
  EXPECT_EQ(table.rows[1].rgb, 0x4e79a7u);
  EXPECT_EQ(table.rows[1].figures.count, 50u);
  EXPECT_EQ(json_from(slice_options(options).merged), options["merged"]);
}

// covers FS-57
TEST(Slices, WhatIsAggregatedIsExcludedAndMergedByItsName) {
  const std::vector<std::pair<std::string, int>> values = {
      {"a", 600}, {"s", 3}, {"b", 200}, {"t", 4}};
  EXPECT_EQ(shown(arranged(values, {{"excluded", {"Aggregated"}}, {"open", {"Excluded"}}})),
            (Shown{"a 600 75%", "b 200 25%", "Excluded 7 0%", " t 4 0%", " s 3 0%"}));
  EXPECT_EQ(arranged(values, {{"excluded", {"Aggregated"}}}).sum, 800);
  const Json merged = {{{"name", "X"}, {"color", "#4e79a7"}, {"of", {"Aggregated", "b"}}}};
  const SliceTable table = arranged(values, {{"merged", merged}, {"open", {"X"}}});
  EXPECT_EQ(shown(table), (Shown{"a 600 74%", "X 207 26%", " b 200 25%", " t 4 0%", " s 3 0%"}));
  EXPECT_EQ(table.sum, 807);
}

TEST(Slices, AreFilteredByName) {
  const SliceTable table = arranged({{"read", 50}, {"write", 40}, {"ready", 1}, {"x", 9}},
                                    {{"filters", {{"name", "^read"}}}});
  EXPECT_EQ(shown(table), (Shown{"read 50 50%", "ready 1 1%"}));
  EXPECT_EQ(table.matched, 2u);
  EXPECT_EQ(table.total, 4u);
}

TEST(Slices, AFilterWithoutCapitalsFindsThem) {
  const auto names = [](const char* filter) {
    return shown(arranged({{"Read", 50}, {"read", 50}}, {{"filters", {{"name", filter}}}}));
  };
  EXPECT_EQ(names("read").size(), 2u);
  EXPECT_EQ(names("Read"), (Shown{"Read 50 50%"}));
}

TEST(Slices, AFilterFindsWhatIsInAFolder) {
  const std::vector<std::pair<std::string, int>> values = {
      {"a", 600}, {"s", 3}, {"b", 391}, {"t", 4}, {"u", 2}};
  EXPECT_EQ(shown(arranged(values, {{"filters", {{"name", "^[st]$"}}}})),
            (Shown{"Aggregated 9 1%", " t 4 0%", " s 3 0%"}));
}

TEST(Slices, AreSortedWithFoldersLast) {
  const std::vector<std::pair<std::string, int>> values = {
      {"b", 600}, {"s", 1}, {"a", 398}, {"t", 1}};
  EXPECT_EQ(shown(arranged(values, {{"sort", "name"}})),
            (Shown{"a 398 40%", "b 600 60%", "Aggregated 2 0%"}));
  EXPECT_EQ(shown(arranged(values, {{"sort", "-name"}})),
            (Shown{"b 600 60%", "a 398 40%", "Aggregated 2 0%"}));
}

TEST(Slices, HostileOptionsAreLeftOut) {
  const Json hostile = {{"excluded", "a"}, {"merged", {1, {{"name", 3}}}}, {"open", {2}}};
  EXPECT_EQ(slice_options(hostile), SliceOptions{});
}

// covers FS-46, FS-56
TEST(Slices, EqualAPlainLoopOverTheEventsOfAnInterval) {
  const testing::ScratchFolder folder;
  const auto trace = testing::opened(testing::write_sample(folder.path()));
  ThreadPool pool(2);
  query::Selection selection = query::Selection::all(*trace);
  const int64_t begin = trace->range().begin.ticks, length = trace->range().length().ticks;
  selection.range = {{begin + length / 5}, {begin + length / 2}};
  std::map<std::string, double> expected;
  query::EventStream stream(trace, selection);
  for (query::Event event{}; stream.next(event);) {
    expected[trace->dictionary().path_text(event.row->lane)] += 1;
  }
  const auto found = measure_slices(
      {{trace, selection.range}, &slice_metrics().front(), query::GroupBy::kLane}, pool, {});
  ASSERT_TRUE(found);
  std::map<std::string, double> values;
  for (const Measured::Item& item : found->items) values[item.name] = item.value;
  EXPECT_EQ(values, expected);
}

class SliceCommands : public ::testing::Test {
 protected:
  SliceCommands() {
    (void)session_.desk.layout.open("statistics", "", Side::kBottom);
    (void)session_.desk.layout.focus("statistics");
  }
  Status run(const std::string& name, Json args = Json::object()) {
    return apply_command(session_, {name, std::move(args)});
  }
  SliceOptions options() const {
    return slice_options(session_.desk.layout.find("statistics")->options);
  }

  Session session_;
};

TEST_F(SliceCommands, ExcludeWhatIsSelectedAndBringItBack) {
  EXPECT_FALSE(run("slice.exclude"));
  ASSERT_TRUE(
      run("panel.set", {{"panel", "statistics"}, {"option", "selected"}, {"value", {"a", "b"}}}));
  ASSERT_TRUE(run("slice.exclude"));
  EXPECT_EQ(options().excluded, (std::set<std::string>{"a", "b"}));
  EXPECT_TRUE(options().selected.empty());
  ASSERT_TRUE(run("slice.restore", {{"names", {"a"}}}));
  EXPECT_EQ(options().excluded, std::set<std::string>{"b"});
  ASSERT_TRUE(run("slice.restore"));
  EXPECT_TRUE(options().excluded.empty());
}

TEST_F(SliceCommands, MergeAndTakeApart) {
  ASSERT_TRUE(run("slice.merge", {{"name", "X"}, {"color", "#112233"}, {"names", {"a", "b"}}}));
  ASSERT_TRUE(run("slice.merge", {{"name", "Y"}, {"names", {"X", "c"}}}));
  ASSERT_EQ(options().merged.size(), 1u);
  EXPECT_EQ(options().merged[0].name, "Y");
  EXPECT_EQ(options().merged[0].of, (std::vector<std::string>{"a", "b", "c"}));
  EXPECT_FALSE(run("slice.merge", {{"name", "Z"}, {"color", "red"}, {"names", {"a"}}}));
  ASSERT_TRUE(run("slice.unmerge"));
  EXPECT_TRUE(options().merged.empty());
  EXPECT_FALSE(run("slice.unmerge", {{"names", {"Y"}}}));
}

// covers FS-47
TEST_F(SliceCommands, MergingUnderAnExistingNameAddsToThatSlice) {
  ASSERT_TRUE(run("slice.merge", {{"name", "X"}, {"color", "#112233"}, {"names", {"a", "b"}}}));
  ASSERT_TRUE(run("slice.merge", {{"name", "X"}, {"names", {"X", "c"}}}));
  ASSERT_TRUE(run("slice.merge", {{"name", "X"}, {"names", {"d"}}}));
  ASSERT_EQ(options().merged.size(), 1u);
  EXPECT_EQ(options().merged[0].of, (std::vector<std::string>{"a", "b", "c", "d"}));
  EXPECT_EQ(options().merged[0].rgb, 0x112233u);
  EXPECT_FALSE(run("slice.merge", {{"name", "Aggregated"}, {"names", {"a"}}}));
  EXPECT_FALSE(run("slice.merge", {{"name", "Excluded"}, {"names", {"a"}}}));
}

TEST_F(SliceCommands, NeedAStatisticsPanel) {
  EXPECT_FALSE(run("slice.exclude", {{"panel", "gantt"}, {"names", {"a"}}}));
}

}  // namespace
}  // namespace weft::app
