// covers B-08, XC-11, XC-12: call stacks in the order of time and added up, of what the filter lets
// pass and of the lanes that are selected
#include "app/panels/figures/flame_panel.h"

#include <fstream>

#include "core/query/filter/filters.h"
#include "core/query/metrics/metrics.h"
#include "tests/app/offscreen_test.h"

namespace weft::app {
namespace {

class FlameFigures : public ::testing::Test {
 protected:
  // What the tree adds up for each type, and what the metric says.
  void expect_as_the_table(const Scope& scope) {
    FlameKey key;
    static_cast<Scope&>(key) = scope;
    key.view = "graph";
    FlameMaker maker(pool_);
    const auto flame = maker.make(key, {});
    ASSERT_TRUE(flame);
    std::map<uint32_t, int64_t> found, expected;
    for (size_t i = 1; i < flame->tree.nodes().size(); ++i) {
      found[flame->tree.nodes()[i].type.value()] += flame->tree.nodes()[i].total;
    }
    const query::Statistics table =
        query::metric_from_id("duration")
            ->measure(*scope.trace, selection_of(scope), query::GroupBy::kType, pool_);
    for (const query::Group& group : table.groups) expected[group.id] = group.total;
    EXPECT_EQ(found, expected);
    EXPECT_FALSE(found.empty());
  }

  testing::TemporaryFolder folder_;
  ThreadPool pool_{2};
};

TEST_F(FlameFigures, AreThoseOfTheTableUnderFilterAndLanes) {
  const auto trace = testing::opened(testing::write_sample(folder_.path()));
  Scope scope{trace, {{5'000}, {60'000}}};
  expect_as_the_table(scope);
  scope.lanes = {LaneId(0)};  // a process: both of its threads
  expect_as_the_table(scope);
  aggregate::Condition condition;
  condition.on = aggregate::Condition::On::kDuration;
  condition.ticks = {500, 900};
  scope.only = aggregate::where(std::move(condition));
  expect_as_the_table(scope);
}

class FlameChartTest : public testing::OffscreenTest {
 protected:
  void SetUp() override {
    start(sized(1200, 400));
    if (!host_) return;
    open_sample();
    ASSERT_TRUE(run("panel.open", {{"panel", "flame"}}));
    ASSERT_TRUE(run("panel.set", {{"panel", "flame"}, {"option", "view"}, {"value", "chart"}}));
    host_->workbench().show_only("flame");
  }
  void option(const char* name, Json value) {
    ASSERT_TRUE(
        run("panel.set", {{"panel", "flame"}, {"option", name}, {"value", std::move(value)}}));
  }
};

TEST_F(FlameChartTest, DrawsTheStatesOfItsScope) {
  const render::Image window = picture("flame-chart.png");
  option("scope", "selection");
  const render::Image nothing = picture("flame-chart-nothing.png");
  EXPECT_NE(window.pixels, nothing.pixels);
  ASSERT_TRUE(run("select.toggle_lane", {{"lane", 0}}));
  const render::Image process = picture("flame-chart-process.png");
  EXPECT_NE(process.pixels, nothing.pixels);
  EXPECT_NE(process.pixels, window.pixels);
  // A filter greys what it does not let pass.
  ASSERT_TRUE(run("filter.set", {{"text", "type == render"}, {"mode", "dim"}}));
  EXPECT_NE(picture("flame-chart-dim.png").pixels, process.pixels);
}

class FlameGraphTest : public testing::OffscreenTest {};

// What overlaps takes longer than what calls it: its boxes stay below that one's.
TEST_F(FlameGraphTest, WhatIsCalledStaysBelowItsCaller) {
  start(sized(1200, 400));
  if (!host_) return;
  const std::filesystem::path file = folder_.path() / "overlap.json";
  std::ofstream(file) << R"([
    {"name":"a","ph":"X","pid":1,"tid":1,"ts":0,"dur":100},
    {"name":"b","ph":"X","pid":1,"tid":1,"ts":10,"dur":60},
    {"name":"c","ph":"X","pid":1,"tid":1,"ts":20,"dur":70},
    {"name":"d","ph":"X","pid":1,"tid":1,"ts":100,"dur":100}])";
  ASSERT_TRUE(host_->open(file));
  ASSERT_TRUE(run("panel.open", {{"panel", "flame"}}));
  host_->workbench().show_only("flame");
  const render::Image image = picture("flame-overlap.png");
  for (int y = 30; y < image.height; ++y)
    ASSERT_EQ(image.at(650, y), image.at(1150, y)) << y;  // of d, and nothing below it
}

// covers XC-12: what is looked for stands out among all stacks, unless the rest is to be hidden.
TEST_F(FlameGraphTest, AFilterThatDimsLeavesTheStacksWhole) {
  start(sized(1200, 400));
  if (!host_) return;
  const std::filesystem::path file = folder_.path() / "nested.json";
  std::ofstream(file) << R"([
    {"name":"outer","ph":"X","pid":1,"tid":1,"ts":0,"dur":100},
    {"name":"inner","ph":"X","pid":1,"tid":1,"ts":0,"dur":50}])";
  ASSERT_TRUE(host_->open(file));
  ASSERT_TRUE(run("panel.open", {{"panel", "flame"}}));
  host_->workbench().show_only("flame");
  const render::Image plain = picture("flame-nested.png");
  ASSERT_TRUE(run("filter.set", {{"text", "inner"}, {"mode", "dim"}}));
  const render::Image dim = picture("flame-nested-dim.png");
  ASSERT_TRUE(run("filter.set", {{"text", "inner"}, {"mode", "hide"}}));
  const render::Image hidden = picture("flame-nested-hide.png");
  // Rows of 19 below the toolbar: all, outer, inner; the last has half the width.
  constexpr int kOuterY = 30 + 19 + 3, kInnerY = kOuterY + 19, kX = 500, kRight = 1000;
  EXPECT_EQ(dim.at(kX, kInnerY), plain.at(kX, kInnerY));
  EXPECT_NE(dim.at(kX, kOuterY), plain.at(kX, kOuterY));
  EXPECT_NE(dim.at(kRight, kOuterY), dim.at(kRight, kInnerY));   // outer is still there
  EXPECT_EQ(hidden.at(kRight, kOuterY), plain.at(kX, kInnerY));  // inner alone, in all the width
}

TEST_F(FlameChartTest, FollowsTheWindowAndSelects) {
  ASSERT_TRUE(run("view.set", {{"from", 0}, {"to", 10'000}}));
  (void)picture("flame-chart-window.png");
  // The first state of the first thread, 1 000 to 3 000: below toolbar, ruler and two headers.
  Pointer pointer{.x = 240 + 960 * 0.27F, .y = 30 + 22 + 22 + 4 + 9};
  for (const bool is_down : {false, true, false}) {
    pointer.is_down = is_down;
    host_->frame({}, pointer);
  }
  ASSERT_TRUE(session().trace()->element());
  EXPECT_EQ(session().trace()->element()->begin.ticks, 1'000);
  const double length = session().trace()->view().window.length;
  pointer.wheel = 1;
  host_->frame({}, pointer);
  EXPECT_LT(session().trace()->view().window.length, length);
  // Of the whole trace the chart stays, and the wheel scrolls.
  option("scope", "trace");
  ASSERT_TRUE(host_->settle());
  const TimeWindow window = session().trace()->view().window;
  host_->frame({}, pointer);
  EXPECT_EQ(session().trace()->view().window, window);
}

}  // namespace
}  // namespace weft::app
