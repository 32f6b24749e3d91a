// covers B-08, XC-11, XC-12: call stacks in the order of time and added up, of what the filter lets
// pass and of the lanes that are selected
#include "app/panels/figures/flame_panel.h"

#include <fmt/core.h>

#include <fstream>
#include <iterator>

#include "core/query/filter/filters.h"
#include "core/query/metrics/metrics.h"
#include "tests/app/offscreen_test.h"

namespace weft::app {
namespace {

class FlameFigures : public ::testing::Test {
 protected:
  // The sums of the tree for each type equal those of the metric.
  void expect_as_the_table(const Scope& scope) {
    FlameKey key;
    static_cast<Scope&>(key) = scope;
    key.view = "graph";
    FlameMaker maker(pool_);
    const auto flame = maker.make(key, {});
    ASSERT_TRUE(flame);
    std::map<uint32_t, int64_t> found, expected;
    for (size_t i = 1; i < flame->tree->nodes().size(); ++i) {
      found[flame->tree->nodes()[i].type.value()] += flame->tree->nodes()[i].total;
    }
    const query::Statistics table =
        query::metric_from_id("duration")
            ->measure(*scope.trace, selection_of(scope), query::GroupBy::kType, pool_);
    for (const query::Group& group : table.groups) expected[group.id] = group.total;
    EXPECT_EQ(found, expected);
    EXPECT_FALSE(found.empty());
  }

  testing::ScratchFolder folder_;
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

// Two programs that differ, and the parts of one.
class FlameDifferences : public testing::OffscreenTest {
 protected:
  void SetUp() override { start(sized(1000, 300)); }
  // Functions within main, one after the other; how long each takes.
  void open(const char* name, const std::vector<std::pair<std::string, int>>& calls) {
    int at = 0;
    std::string text;
    for (const auto& [call, us] : calls) {
      text += fmt::format(R"({{"ph":"X","name":"{}","pid":1,"tid":1,"ts":{},"dur":{}}},)", call, at,
                          us);
      at += us;
    }
    const auto file = folder_.path() / name;
    std::ofstream(file) << '[' << text
                        << fmt::format(
                               R"({{"ph":"X","name":"main","pid":1,"tid":1,"ts":0,"dur":{}}}])",
                               at);
    ASSERT_TRUE(host_->open(file));
    ASSERT_TRUE(host_->settle());
  }
  void compare(Json args = Json::object()) {
    const Status status = run("flame.compare", std::move(args));
    ASSERT_TRUE(status) << status.error().message;
    host_->workbench().show_only("flame");
    ASSERT_TRUE(host_->settle());
  }
  // The tooltip with the pointer on the box of that title.
  std::string tooltip_of(const std::string& title) {
    const auto box = find_text(title);
    if (!box) return "no " + title + " in " + shown_text();
    EXPECT_TRUE(host_->settle({.x = box->x + 4, .y = box->y - 4}));
    return shown_text();
  }
};

// The clicked button stays under the pointer.
TEST_F(FlameDifferences, TheButtonsStayWhereTheyAreWhenTheyArePressed) {
  if (!host_) return;
  open("before.json", {{"read", 100}, {"parse", 300}});
  ASSERT_TRUE(run("panel.open", {{"panel", "flame"}}));
  ASSERT_TRUE(host_->settle());
  const auto before = find_text("Difference<");
  ASSERT_TRUE(before);
  click(before->x + 3, before->y - 3);
  ASSERT_TRUE(host_->settle());
  ASSERT_TRUE(find_text("By share<")) << "it is the difference";
  EXPECT_EQ(find_text("Difference<")->x, before->x);
}

TEST_F(FlameDifferences, OfAWindowAndItsTraceAreByShareAtFirst) {
  if (!host_) return;
  open("one.json", {{"read", 100}, {"parse", 300}, {"read", 400}});
  ASSERT_TRUE(run("view.set", {{"from", "+400us"}, {"to", "+800us"}}));
  ASSERT_TRUE(run("panel.open", {{"panel", "flame"}}));
  host_->workbench().show_only("flame");
  ASSERT_TRUE(host_->settle());
  click_on("Difference<");
  ASSERT_TRUE(host_->settle());
  EXPECT_TRUE(find_text("main 0.0 %") && find_text("read +60.0 %")) << shown_text();
  click_on("By time<");
  ASSERT_TRUE(host_->settle());
  EXPECT_TRUE(find_text("main -50.0 %") && find_text("read -20.0 %")) << shown_text();
  open("two.json", {{"read", 50}, {"parse", 60}});
  ASSERT_TRUE(run("panel.set", {{"panel", "flame"}, {"option", "by"}}));
  ASSERT_TRUE(host_->settle());
  EXPECT_TRUE(find_text("read -90.0 %")) << "traces of one length or not: " << shown_text();
}

TEST_F(FlameDifferences, AreAsWideAsTheSecondAndSayHowMuchMoreOrLessItIs) {
  if (!host_) return;
  open("before.json", {{"read", 100}, {"parse", 300}, {"log", 50}});
  open("after.json", {{"read", 200}, {"parse", 150}, {"cache", 60}});
  compare();
  const render::Image by_time = picture("flame-difference.png");
  EXPECT_TRUE(find_text("main -8.9 %")) << shown_text();
  const auto read = find_text("read +100.0 %"), parse = find_text("parse -50.0 %");
  const auto fresh = find_text("cache new");
  ASSERT_TRUE(read && parse && fresh) << shown_text();
  EXPECT_LT(read->x, parse->x) << "the largest of the second first";
  EXPECT_LT(parse->x, fresh->x);
  EXPECT_TRUE(
      shown_text().contains("A 450 µs, B 410 µs: -8.9 %; 50 µs of A in 1 stack that B has not<"))
      << shown_text();
  // Warm where it is more, cool where it is less.
  const auto color_at = [&](const testing::ShownText& text) {
    return by_time.at(static_cast<int>(text.x) - 3, static_cast<int>(text.y) - 4);
  };
  const auto red = [](uint32_t color) { return static_cast<int>(color & 0xFF); };
  const auto blue = [](uint32_t color) { return static_cast<int>(color >> 16 & 0xFF); };
  EXPECT_GT(red(color_at(*read)), blue(color_at(*read)) + 20);
  EXPECT_LT(red(color_at(*parse)), blue(color_at(*parse)) - 20);
  const std::string told = tooltip_of("read +100.0 %");
  for (const char* cell :
       {">100 µs<", ">200 µs<", ">+100 µs<", ">+100.0 %<", ">22.22 %<", ">48.78 %<"})
    EXPECT_TRUE(told.contains(cell)) << cell << told;
  // The other way round what was new is gone.
  compare({{"a", 1}, {"b", 0}});
  EXPECT_TRUE(find_text("log new")) << shown_text();
  EXPECT_FALSE(find_text("cache"));
  const auto file = folder_.path() / "difference.csv";
  ASSERT_TRUE(run("table.export", {{"panel", "flame"}, {"file", file.string()}}));
  ASSERT_TRUE(host_->settle());
  std::ifstream in(file);
  const std::string csv{std::istreambuf_iterator<char>(in), {}};
  EXPECT_TRUE(csv.contains("main;cache,cache,2,1,0,-1,-100,60000,0,-60000,-100,")) << csv;
}

TEST_F(FlameDifferences, CompareTwoPartsOfOneTrace) {
  if (!host_) return;
  open("one.json", {{"read", 100}, {"parse", 300}, {"read", 400}});
  compare();  // all of it, and what is shown: the same
  EXPECT_TRUE(find_text("main 0.0 %")) << shown_text();
  ASSERT_TRUE(run("select.range", {{"from", "+400us"}, {"to", "+800us"}}));
  compare();
  (void)picture("flame-difference-parts.png");
  EXPECT_TRUE(find_text("read +60.0 %")) << "of half the time: " << shown_text();
  EXPECT_FALSE(find_text("parse"));
  ASSERT_TRUE(run("select.clear"));
  ASSERT_TRUE(host_->settle());
  EXPECT_TRUE(shown_text().contains("Select a range for B"));
  EXPECT_FALSE(run("flame.compare", {{"b", 1}}));
  EXPECT_FALSE(run("flame.compare", {{"b_of", "half"}}));
  EXPECT_FALSE(run("flame.compare", {{"by", "weight"}}));
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

// Overlapping callees take longer than their caller: their boxes stay below its box.
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

// Asynchronous work, samples and turns on a CPU are of the same time as what threads do.
TEST_F(FlameGraphTest, StacksAreOfOneKindOfLanes) {
  start(sized(1200, 400));
  if (!host_) return;
  const std::filesystem::path file = folder_.path() / "kinds.json";
  std::ofstream(file) << R"({"traceEvents":[
    {"name":"work","ph":"X","pid":1,"tid":1,"ts":0,"dur":100},
    {"name":"load","ph":"b","cat":"io","id":"1","pid":1,"tid":1,"ts":0},
    {"name":"load","ph":"e","cat":"io","id":"1","pid":1,"tid":1,"ts":300},
    {"name":"sampled","ph":"P","pid":1,"tid":1,"ts":0,"sf":2},
    {"name":"sampled","ph":"P","pid":1,"tid":1,"ts":50,"sf":2}],
    "stackFrames":{"1":{"name":"main"},"2":{"name":"read","parent":"1"}}})";
  ASSERT_TRUE(host_->open(file));
  ASSERT_TRUE(run("panel.open", {{"panel", "flame"}}));
  host_->workbench().show_only("flame");
  const auto found = [&] {
    EXPECT_TRUE(host_->settle());
    std::string names;
    for (const char* name : {"main<", "read<", "work<", "load<"})
      names += find_text(name) ? name : "";
    return names;
  };
  const auto count = [&](const Json& kind) {
    EXPECT_TRUE(run("panel.set", {{"panel", "flame"}, {"option", "lanes"}, {"value", kind}}));
    return found();
  };
  EXPECT_EQ(found(), "main<read<");
  EXPECT_EQ(count("threads"), "work<");
  EXPECT_EQ(count("async"), "load<");
  EXPECT_EQ(count("all"), "main<read<work<load<");
  EXPECT_EQ(count("cpus"), "main<read<") << "the trace has none";
  // Questions about a type cover all lanes.
  for (const char* view : {"sandwich", "callees", "callers"}) {
    for (const auto& [option, value] : {std::pair{"type", "load"}, {"view", view}})
      ASSERT_TRUE(run("panel.set", {{"panel", "flame"}, {"option", option}, {"value", value}}));
    EXPECT_EQ(found(), "load<") << view;
  }
}

// Types of one name are looked at together: none is left out.
TEST_F(FlameGraphTest, ASandwichIsOfAllTypesOfItsName) {
  start(sized(1200, 400));
  if (!host_) return;
  const std::filesystem::path file = folder_.path() / "groups.json";
  std::ofstream(file) << R"([
    {"name":"run","cat":"net","ph":"X","pid":1,"tid":1,"ts":0,"dur":100},
    {"name":"inner","ph":"X","pid":1,"tid":1,"ts":0,"dur":50},
    {"name":"run","cat":"disk","ph":"X","pid":1,"tid":1,"ts":200,"dur":100},
    {"name":"deep","ph":"X","pid":1,"tid":1,"ts":200,"dur":50}])";
  ASSERT_TRUE(host_->open(file));
  ASSERT_TRUE(
      run("panel.open", {{"panel", "flame"}, {"options", {{"type", "run"}, {"view", "callees"}}}}));
  host_->workbench().show_only("flame");
  ASSERT_TRUE(host_->settle());
  EXPECT_TRUE(find_text("inner<"));
  EXPECT_TRUE(find_text("deep<"));
}

TEST_F(FlameGraphTest, ASandwichBeginsWithTheHeaviestTypeAndOffersTheOthers) {
  start(sized(1200, 400));
  if (!host_) return;
  const std::filesystem::path file = folder_.path() / "heavy.json";
  std::ofstream(file) << R"([
    {"name":"outer","ph":"X","pid":1,"tid":1,"ts":0,"dur":1000},
    {"name":"heavy","ph":"X","pid":1,"tid":1,"ts":0,"dur":700},
    {"name":"light","ph":"X","pid":1,"tid":1,"ts":800,"dur":100}])";
  ASSERT_TRUE(host_->open(file));
  ASSERT_TRUE(run("panel.open", {{"panel", "flame"}, {"options", {{"view", "sandwich"}}}}));
  host_->workbench().show_only("flame");
  (void)picture("sandwich.png");
  EXPECT_TRUE(find_text("outer<"));
  EXPECT_FALSE(find_text("light<"));
  click_on("heavy");  // in the bar
  click_on("light");
  ASSERT_TRUE(host_->settle());
  EXPECT_EQ(session().desk.layout.first_of("flame")->options["type"], "light");
  EXPECT_TRUE(find_text("outer<"));
}

TEST_F(FlameGraphTest, TypesWithoutNamesAndThoseThatBeginAlikeDoNotDisturbTheList) {
  start(sized(1200, 400));
  if (!host_) return;
  const std::filesystem::path file = folder_.path() / "odd.json";
  const std::string alike(80, 'x');
  std::ofstream(file) << R"([
    {"name":"heavy","ph":"X","pid":1,"tid":1,"ts":0,"dur":700},
    {"name":"","ph":"X","pid":1,"tid":1,"ts":800,"dur":100},
    {"name":")" << alike
                      << 1 << alike << R"(","ph":"X","pid":1,"tid":1,"ts":900,"dur":50},
    {"name":")" << alike
                      << 2 << alike << R"(","ph":"X","pid":1,"tid":1,"ts":950,"dur":40}])";
  ASSERT_TRUE(host_->open(file));
  ASSERT_TRUE(run("panel.open", {{"panel", "flame"}, {"options", {{"view", "sandwich"}}}}));
  host_->workbench().show_only("flame");
  (void)picture("sandwich.png");
  click_on("heavy");  // in the bar
  const auto first = find_text("xxx");
  ASSERT_TRUE(first);
  click(first->x + 3, first->y - 3 + ImGui::GetTextLineHeightWithSpacing());
  ASSERT_TRUE(host_->settle());
  EXPECT_EQ(session().desk.layout.first_of("flame")->options["type"], alike + "2" + alike);
}

// covers B-08
TEST_F(FlameGraphTest, NamesakesSayTheirGroupAndAreZoomedToByIt) {
  start(sized(1200, 400));
  if (!host_) return;
  const std::filesystem::path file = folder_.path() / "namesakes.json";
  std::ofstream(file) << R"([
    {"name":"root","ph":"X","pid":1,"tid":1,"ts":0,"dur":1000},
    {"name":"run","cat":"net","ph":"X","pid":1,"tid":1,"ts":0,"dur":500},
    {"name":"inner","ph":"X","pid":1,"tid":1,"ts":0,"dur":400},
    {"name":"run","cat":"disk","ph":"X","pid":1,"tid":1,"ts":500,"dur":300},
    {"name":"deep","ph":"X","pid":1,"tid":1,"ts":500,"dur":200}])";
  ASSERT_TRUE(host_->open(file));
  ASSERT_TRUE(run("panel.open", {{"panel", "flame"}}));
  host_->workbench().show_only("flame");
  ASSERT_TRUE(host_->settle());
  EXPECT_TRUE(find_text("run · net<")) << shown_text();
  ASSERT_TRUE(find_text("run · disk<")) << shown_text();
  click_on("run · disk<");
  ASSERT_TRUE(host_->settle());
  EXPECT_TRUE(find_text("deep<"));
  EXPECT_FALSE(find_text("inner<"));
  // A name without its group means the larger one.
  ASSERT_TRUE(
      run("panel.set", {{"panel", "flame"}, {"option", "zoom"}, {"value", {"root", "run"}}}));
  ASSERT_TRUE(host_->settle());
  EXPECT_TRUE(find_text("inner<"));
  EXPECT_FALSE(find_text("deep<"));
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

// A graph of calls within main, in a window of 1200 pixels; how long each takes.
class FlameBoxes : public testing::OffscreenTest {
 protected:
  void SetUp() override { start(sized(1200, 400)); }
  void open(const std::vector<std::pair<std::string, int>>& calls) {
    std::string text;
    int at = 0;
    for (const auto& [call, us] : calls) {
      text += fmt::format(R"({{"ph":"X","name":"{}","pid":1,"tid":1,"ts":{},"dur":{}}},)", call, at,
                          us);
      at += us;
    }
    const std::filesystem::path file = folder_.path() / "boxes.json";
    std::ofstream(file) << '[' << text
                        << fmt::format(
                               R"({{"ph":"X","name":"main","pid":1,"tid":1,"ts":0,"dur":{}}}])",
                               at);
    ASSERT_TRUE(host_->open(file));
    ASSERT_TRUE(run("panel.open", {{"panel", "flame"}}));
    host_->workbench().show_only("flame");
    ASSERT_TRUE(host_->settle());
  }
  // Chooses an entry of the menu of a box.
  void choose(const std::string& box, const std::string& entry) {
    const auto at = find_text(box);
    ASSERT_TRUE(at) << box << shown_text();
    click(at->x + 3, at->y - 3, /*is_right=*/true);
    host_->frame();
    click_on(entry);
    ASSERT_TRUE(host_->settle());
  }
  const Json& options() const { return session().desk.layout.first_of("flame")->options; }
};

TEST_F(FlameBoxes, WhatIsNarrowerThanAPixelIsCountedAsOne) {
  if (!host_) return;
  std::vector<std::pair<std::string, int>> calls = {{"wide", 9'000}};
  for (int i = 0; i < 200; ++i) calls.emplace_back(fmt::format("thin {}", i), i == 7 ? 6 : 5);
  open(calls);
  (void)picture("flame-rest.png");
  const auto rest = find_text("200 more<");
  ASSERT_TRUE(rest) << shown_text();
  EXPECT_FALSE(find_text("thin"));
  ASSERT_TRUE(host_->settle({.x = rest->x + 4, .y = rest->y - 4}));
  const std::string told = shown_text();
  for (const char* cell :
       {">200 stacks, each narrower than a pixel<", ">1.001 ms · 10.01 %<", ">thin 7<"})
    EXPECT_TRUE(told.contains(cell)) << cell << told;
}

TEST_F(FlameBoxes, AMenuZoomsAndFiltersAndCopies) {
  if (!host_) return;
  open({{"read", 100}, {"parse", 300}});
  choose("read<", "Zoom to it<");
  EXPECT_EQ(options()["zoom"], Json::array({"main", "read"}));
  EXPECT_FALSE(find_text("parse<")) << "main is drawn as wide as read";
  choose("main<", "Show all stacks again<");
  EXPECT_TRUE(find_text("parse<"));
  choose("parse<", "Copy its name<");
  EXPECT_STREQ(ImGui::GetClipboardText(), "parse");
  choose("parse<", "Copy the stack<");
  EXPECT_STREQ(ImGui::GetClipboardText(), "main;parse");
  choose("parse<", "Filter to this type<");
  EXPECT_EQ(session().trace()->view().filter.text, "type == parse");
  choose("parse<", "Clear the filter<");
  EXPECT_FALSE(session().trace()->view().filter.is_set());
  choose("parse<", "Such states in a table, the longest first<");
  const Json& table = session().desk.layout.first_of("events")->options;
  EXPECT_EQ(table["sort"], "-duration");
  EXPECT_EQ(session().trace()->panel_options["events"]["filters"]["type"], "= parse");
  choose("parse<", "Who calls it, and what it calls<");
  EXPECT_EQ(options()["view"], "sandwich");
  EXPECT_EQ(options()["type"], "parse");
}

TEST_F(FlameBoxes, TheTypeOfTheSelectedStateStandsOut) {
  if (!host_) return;
  open({{"read", 100}, {"parse", 300}});
  const auto box = find_text("parse<");
  ASSERT_TRUE(box);
  const render::Image plain = picture("flame-unselected.png");
  ASSERT_TRUE(run("filter.set", {{"text", "type == parse"}, {"mode", "off"}}));
  ASSERT_TRUE(run("find.next"));
  ASSERT_TRUE(host_->settle());
  ASSERT_TRUE(session().trace()->element());
  const render::Image selected = picture("flame-selected.png");
  const int x = static_cast<int>(box->x) - 5;  // its left edge
  const int y = static_cast<int>(box->y) - 4;
  EXPECT_NE(selected.at(x, y), plain.at(x, y));
  EXPECT_EQ(selected.at(x + 3, y), plain.at(x + 3, y));
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
  // For the whole trace, the chart stays, and the wheel scrolls.
  option("scope", "trace");
  ASSERT_TRUE(host_->settle());
  const TimeWindow window = session().trace()->view().window;
  host_->frame({}, pointer);
  EXPECT_EQ(session().trace()->view().window, window);
}

}  // namespace
}  // namespace weft::app
