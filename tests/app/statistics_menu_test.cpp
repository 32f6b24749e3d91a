// From a row of the statistics to what it sums up. covers FS-13, FS-59
#include <fstream>

#include "tests/app/offscreen_test.h"

namespace weft::app {
namespace {

class StatisticsMenu : public testing::OffscreenTest {
 protected:
  void SetUp() override {
    start(sized(1240, 700));
    if (!host_) return;
    const auto file = folder_.path() / "calls.json";
    std::ofstream(file) << R"([{"ph":"X","pid":1,"tid":1,"name":"outer","ts":0,"dur":900},
{"ph":"X","pid":1,"tid":1,"name":"call","ts":10,"dur":200},
{"ph":"X","pid":1,"tid":1,"name":"call","ts":300,"dur":400},
{"ph":"X","pid":1,"tid":1,"name":"call","ts":800,"dur":50},
{"ph":"i","s":"t","pid":1,"tid":1,"name":"tick","ts":850}])";
    ASSERT_TRUE(host_->open(file));
    ASSERT_TRUE(run("panel.open", {{"panel", "statistics"}}));
    ASSERT_TRUE(host_->settle());
  }
  const Json& options(const char* panel) const {
    return session().desk.layout.first_of(panel)->options;
  }
  testing::ShownText row(const char* name) {
    host_->workbench().show_only("statistics");
    EXPECT_TRUE(host_->settle());
    const auto at = find_text(std::string(name) + "<");
    EXPECT_TRUE(at) << name << shown_text();
    return at.value_or(testing::ShownText{});
  }
  void open_menu(const char* name) {
    const testing::ShownText at = row(name);
    click(at.x + 3, at.y - 3, /*is_right=*/true);
    host_->frame();
  }
  void choose(const char* name, const char* entry) {
    open_menu(name);
    click_on(entry);
    ASSERT_TRUE(host_->settle());
  }
};

TEST_F(StatisticsMenu, ADoubleClickListsTheEventsTheLongestFirst) {
  if (!host_) return;
  const testing::ShownText at = row("call");
  for (int i = 0; i < 2; ++i) click(at.x + 3, at.y - 3);
  ASSERT_TRUE(session().desk.layout.first_of("events"));
  EXPECT_EQ(options("events").value("sort", ""), "-duration");
  host_->workbench().show_only("events");
  (void)picture("events-of-slice.png");
  const auto longest = find_text("400.000 µs"), second = find_text("200.000 µs");
  ASSERT_TRUE(longest && second) << shown_text();
  EXPECT_LT(longest->y, second->y);
  EXPECT_FALSE(find_text("outer<"));
}

TEST_F(StatisticsMenu, GoesToTheLongest) {
  if (!host_) return;
  choose("call", "Go to the longest");
  ASSERT_TRUE(session().trace()->element());
  EXPECT_EQ(session().trace()->element()->begin.ticks, 300'000);
}

TEST_F(StatisticsMenu, OffersWhatTheMenuOfAnElementDoes) {
  if (!host_) return;
  choose("call", "How long such states take");
  EXPECT_EQ(options("durations")["types"], Json::array({"call"}));
  choose("call", "Who calls it, and what it calls");
  EXPECT_EQ(options("flame")["type"], "call");
  choose("call", "Hide it in the timeline");
  EXPECT_EQ(session().trace()->view().filter.text, "type != call");
  EXPECT_EQ(session().trace()->view().filter.mode, FilterMode::kHide);
}

TEST_F(StatisticsMenu, SelectsTheRowThatItIsFor) {
  if (!host_) return;
  open_menu("tick");
  EXPECT_EQ(options("statistics")["selected"], Json::array({"tick"}));
  const auto entry = find_text("Go to the longest");
  ASSERT_TRUE(entry);
  click(entry->x + 4, entry->y - 4);
  EXPECT_TRUE(shown_text().contains("it has no length")) << shown_text();
  (void)picture("statistics-menu.png");
}

}  // namespace
}  // namespace weft::app
