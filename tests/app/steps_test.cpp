// Steps from element to element and from hit to hit: where they lead, and what the find bar says of
// them. covers B-09, FS-13
#include <fmt/core.h>

#include <fstream>

#include "app/panels/panels.h"
#include "tests/app/offscreen_test.h"

namespace weft::app {
namespace {

class Steps : public testing::OffscreenTest {
 protected:
  const OpenTrace& trace() const { return *session().trace(); }
  void open_json(const std::string& events) {
    const auto file = folder_.path() / "steps.json";
    std::ofstream(file) << events;
    ASSERT_TRUE(host_->open(file));
    ASSERT_TRUE(host_->settle());
  }
};

TEST_F(Steps, BackAlongALinkLeadsToItsSendInOneStep) {
  start(sized(1200, 500));
  if (!host_) return;
  std::string events = R"([{"ph":"X","pid":1,"tid":1,"name":"waker","ts":0,"dur":1000000})";
  for (int i = 2; i < 80; ++i)  // lanes between: the waker is out of sight
    events += fmt::format(R"(,{{"ph":"X","pid":1,"tid":{},"name":"other","ts":{},"dur":5}})", i, i);
  events += R"(,{"ph":"s","pid":1,"tid":1,"name":"wake","cat":"w","id":1,"ts":899990}
,{"ph":"f","bp":"e","pid":1,"tid":99,"name":"wake","cat":"w","id":1,"ts":900001}
,{"ph":"X","pid":1,"tid":99,"name":"woken","ts":900000,"dur":50}])";
  open_json(events);
  ASSERT_TRUE(run("filter.set", {{"text", "type == woken"}}));
  ASSERT_TRUE(run("find.next"));
  ASSERT_TRUE(host_->settle());
  ASSERT_TRUE(trace().element());
  ASSERT_TRUE(run("view.set", {{"from", 899'900'000}, {"to", 900'100'000}}));
  ASSERT_TRUE(run("scroll", {{"to", 1e6}}));
  ASSERT_TRUE(host_->settle());
  const View before = trace().view();
  ASSERT_GT(before.scroll_px, 0);
  press("[");
  ASSERT_TRUE(host_->settle());
  ASSERT_EQ(trace().element()->begin.ticks, 0) << "the state that sends";
  EXPECT_TRUE(trace().view().window.range().contains(Time{899'990'000})) << "where it sends";
  EXPECT_NE(trace().view().scroll_px, before.scroll_px);
  ASSERT_TRUE(undo());
  EXPECT_EQ(trace().view().window, before.window);
  EXPECT_EQ(trace().view().scroll_px, before.scroll_px);
}

TEST_F(Steps, AlongALinkIntoAFoldedGroupIsOneStep) {
  start(sized(1200, 500));
  if (!host_) return;
  open_json(R"([{"ph":"X","pid":1,"tid":1,"name":"waker","ts":0,"dur":10},
{"ph":"s","pid":1,"tid":1,"name":"wake","cat":"w","id":1,"ts":5},
{"ph":"f","bp":"e","pid":2,"tid":2,"name":"wake","cat":"w","id":1,"ts":900001},
{"ph":"X","pid":2,"tid":2,"name":"woken","ts":900000,"dur":50}])");
  ASSERT_TRUE(run("filter.set", {{"text", "type == waker"}}));
  ASSERT_TRUE(run("find.next"));
  ASSERT_TRUE(host_->settle());
  ASSERT_TRUE(run("lane.collapse_all"));
  ASSERT_TRUE(run("view.set", {{"from", 0}, {"to", 100'000}}));
  ASSERT_TRUE(host_->settle());
  const View before = trace().view();
  const size_t folded = trace().collapsed().size();
  press("]");
  ASSERT_TRUE(host_->settle());
  const View after = trace().view();
  ASSERT_NE(after.window, before.window);
  ASSERT_LT(trace().collapsed().size(), folded);
  ASSERT_TRUE(undo());
  EXPECT_EQ(trace().view(), before);
  EXPECT_EQ(trace().collapsed().size(), folded);
  ASSERT_TRUE(run("view.redo"));
  EXPECT_EQ(trace().view(), after);
  EXPECT_LT(trace().collapsed().size(), folded);
}

TEST_F(Steps, DownSelectsTheFirstThatIsShownWhereNothingIsSelected) {
  start(sized(1200, 500));
  if (!host_) return;
  open_json(R"([{"ph":"X","pid":1,"tid":1,"name":"early","ts":0,"dur":5},
{"ph":"X","pid":1,"tid":1,"name":"late","ts":900,"dur":5},
{"ph":"X","pid":1,"tid":2,"name":"shown","ts":500,"dur":5},
{"ph":"X","pid":1,"tid":2,"name":"next","ts":510,"dur":5}])");
  const auto selected = [&]() -> std::string_view {
    const auto& element = trace().element();
    return element ? trace().trace()->dictionary().type(element->type).name : "";
  };
  for (const char* key : {"Ctrl+Down", "Ctrl+Shift+Down"}) {
    ASSERT_TRUE(run("view.set", {{"from", 400'000}, {"to", 600'000}}));
    press(key);
    ASSERT_TRUE(host_->settle());
    EXPECT_EQ(selected(), "shown") << key << ": the lane above has nothing there";
    EXPECT_EQ(trace().view().window.range(), (TimeRange{{400'000}, {600'000}}));
    ASSERT_TRUE(run("element.clear"));
  }
  ASSERT_TRUE(run("view.fit"));
  press("Ctrl+Down");
  ASSERT_TRUE(host_->settle());
  EXPECT_EQ(selected(), "early");
  ASSERT_TRUE(run("element.clear"));
  ASSERT_TRUE(run("view.set", {{"from", 700'000}, {"to", 800'000}}));
  press("Ctrl+Down");
  ASSERT_TRUE(host_->settle());
  EXPECT_EQ(selected(), "early") << "nothing is there: the nearest on the uppermost lane";
}

// What is selected is ranked, however it was selected.
TEST_F(Steps, TheFindBarRanksWhatIsSelectedAmongTheHits) {
  start(sized(1200, 500));
  if (!host_) return;
  open_json(R"([{"ph":"X","pid":1,"tid":1,"name":"a","ts":0,"dur":5},
{"ph":"X","pid":1,"tid":1,"name":"b","ts":10,"dur":5},
{"ph":"X","pid":1,"tid":1,"name":"a","ts":20,"dur":5},
{"ph":"X","pid":1,"tid":1,"name":"b","ts":30,"dur":5},
{"ph":"X","pid":1,"tid":1,"name":"b","ts":40,"dur":5}])");
  ASSERT_TRUE(run("find.show"));
  ASSERT_TRUE(run("filter.set", {{"text", "type == a"}}));
  for (int i = 0; i < 2; ++i) {
    ASSERT_TRUE(run("find.next"));
    ASSERT_TRUE(host_->settle());
  }
  EXPECT_TRUE(shown_text().contains(">2 of 2<")) << shown_text();
  ASSERT_TRUE(run("filter.set", {{"text", "type == b"}}));
  ASSERT_TRUE(host_->settle());
  EXPECT_TRUE(shown_text().contains(">3 hits<")) << "the selected one is none: " << shown_text();
  const uint32_t type = trace().element()->type.value() + 1;
  const uint32_t lane = trace().element()->lane.value();
  ASSERT_TRUE(
      run("element.select", {{"lane", lane}, {"kind", "state"}, {"type", type}, {"at", 30'000}}));
  ASSERT_TRUE(host_->settle());
  EXPECT_TRUE(shown_text().contains(">2 of 3<")) << shown_text();
}

TEST_F(Steps, TheLongestThatPassesIsGoneTo) {
  start(sized(1200, 500));
  if (!host_) return;
  open_json(R"([{"ph":"X","pid":1,"tid":1,"name":"a","ts":0,"dur":5},
{"ph":"X","pid":1,"tid":1,"name":"b","ts":10,"dur":50},
{"ph":"X","pid":1,"tid":1,"name":"a","ts":100,"dur":9},
{"ph":"X","pid":1,"tid":1,"name":"a","ts":200,"dur":7},
{"ph":"i","s":"t","pid":1,"tid":1,"name":"tick","ts":210}])");
  ASSERT_TRUE(run("find.longest", {{"text", "type == a"}}));
  ASSERT_TRUE(host_->settle());
  ASSERT_TRUE(trace().element());
  EXPECT_EQ(trace().element()->duration.ticks, 9'000);
  ASSERT_TRUE(run("find.longest", {{"text", "type == a"}, {"from", 150'000}, {"to", 300'000}}));
  ASSERT_TRUE(host_->settle());
  EXPECT_EQ(trace().element()->duration.ticks, 7'000);
  // How long each is there is what counts: of "b" 15 µs, of the first "a" nothing.
  ASSERT_TRUE(run("find.longest", {{"text", "dur > 0"}, {"from", 45'000}, {"to", 300'000}}));
  ASSERT_TRUE(host_->settle());
  EXPECT_EQ(trace().element()->duration.ticks, 50'000);
  ASSERT_TRUE(run("find.longest", {{"text", "dur > 0"}, {"from", 55'000}, {"to", 300'000}}));
  ASSERT_TRUE(host_->settle());
  EXPECT_EQ(trace().element()->duration.ticks, 9'000);
  ASSERT_TRUE(run("find.longest", {{"text", "type == tick"}}));
  ASSERT_TRUE(host_->settle());
  EXPECT_EQ(session().messages.last.text, "find: nothing there has a length");
  ASSERT_TRUE(run("find.longest")) << "of all states, where no filter is set";
  ASSERT_TRUE(host_->settle());
  EXPECT_EQ(trace().element()->duration.ticks, 50'000);
}

TEST_F(Steps, WithoutLinksNothingLedHere) {
  start(sized(1200, 500));
  if (!host_) return;
  open_json(R"([{"ph":"X","pid":1,"tid":1,"name":"alone","ts":0,"dur":1000}])");
  host_->workbench().show_only("gantt");
  ASSERT_TRUE(host_->settle());
  const Area area = host_->workbench().place_of("gantt").value();
  std::optional<testing::ShownText> entry;
  for (float y = area.y0 + 30; y < area.y1 && !entry; y += 8) {
    click(area.x0 + 700, y, /*is_right=*/true);
    host_->frame();
    entry = find_text("Filter to what led to this");
    if (!entry) press("Escape");
  }
  ASSERT_TRUE(entry) << shown_text();
  click(entry->x + 4, entry->y - 4);
  EXPECT_TRUE(shown_text().contains("the trace has no links")) << shown_text();
  EXPECT_FALSE(trace().view().filter.is_set());
  (void)picture("no-links.png");
}

TEST_F(Steps, TheJournalBringsBackLanesAndCutsAsOneStep) {
  start(sized(1200, 500));
  if (!host_) return;
  open_json(R"([{"ph":"X","pid":1,"tid":1,"name":"a","ts":0,"dur":10},
{"ph":"X","pid":1,"tid":2,"name":"b","ts":900,"dur":100}])");
  ASSERT_TRUE(run("view.zoom", {{"factor", 2}}));
  const TraceLook before = trace().history().look();
  const size_t entry = session().journal.size() - 1;
  ASSERT_TRUE(run("view.compress", {{"longer_than", "1us"}}));
  ASSERT_TRUE(run("lane.hide", {{"lane", 0}}));
  ASSERT_TRUE(run("view.zoom", {{"factor", 2}}));
  const TraceLook after = trace().history().look();
  ASSERT_TRUE(after.cut_rule);

  ASSERT_TRUE(run("journal.return", {{"entry", entry}}));
  EXPECT_EQ(trace().view(), before.view);
  EXPECT_EQ(trace().arrangement().hidden, before.lanes->arrangement.hidden);
  EXPECT_FALSE(trace().cut_rule());
  ASSERT_TRUE(undo());
  EXPECT_EQ(trace().view(), after.view);
  EXPECT_EQ(trace().arrangement().hidden, after.lanes->arrangement.hidden);
  EXPECT_EQ(trace().cut_rule(), after.cut_rule);
}

}  // namespace
}  // namespace weft::app
