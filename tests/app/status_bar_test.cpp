// The status bar: what it says has room, or is not there. covers B-22
#include <gtest/gtest.h>

#include <fstream>
#include <regex>

#include "tests/app/offscreen_test.h"
#include "tests/core/base/eventually.h"
#include "tests/core/io/live_pipe.h"

namespace weft::app {
namespace {

constexpr int kBarHeight = 300;

class StatusBar : public testing::OffscreenTest {
 protected:
  struct Part {
    std::string text;
    float x0, x1;  // of its first letter, and of its last one
  };
  // From left to right.
  std::vector<Part> parts() {
    const std::string page = shown_text();
    const std::regex part(
        "<text x=\"([^\"]*)\" y=\"([0-9.]+)\" font-size=\"([0-9.]+)\"[^>]*>([^<]*)<");
    std::vector<Part> parts;
    for (std::sregex_iterator at(page.begin(), page.end(), part), end; at != end; ++at) {
      if (std::stof((*at)[2]) < kBarHeight - 20) continue;
      std::istringstream xs((*at)[1]);
      std::vector<float> all{std::istream_iterator<float>(xs), {}};
      parts.push_back({(*at)[4], all.front(), all.back() + std::stof((*at)[3]) / 2});
    }
    std::ranges::sort(parts, {}, &Part::x0);
    return parts;
  }
  std::string text() {
    std::string text;
    for (const Part& part : parts()) text += part.text + '|';
    return text;
  }
  void expect_no_overlap(int width) {
    const std::vector<Part> all = parts();
    for (size_t i = 0; i < all.size(); ++i) {
      const float end = i + 1 < all.size() ? all[i + 1].x0 : static_cast<float>(width);
      EXPECT_LE(all[i].x1, end) << text();
    }
  }
  void live(int width) {
    start(sized(width, kBarHeight));
    if (IsSkipped()) return;
    ASSERT_TRUE(run("open", {{"path", pipe_.path().string()}}));
    pipe_.write(testing::marks(0, 10));
    ASSERT_TRUE(test::eventually([&] {
      host_->frame();
      return session().trace() && session().trace()->trace() &&
             !session().trace()->trace()->rows().empty();
    }));
    Pointer pointer;
    pointer.x = static_cast<float>(width) - 60;
    pointer.y = kBarHeight / 2.0F;
    for (int i = 0; i < 3; ++i) host_->frame({}, pointer);
  }

  test::LivePipe pipe_{folder_.path() / "pipe"};
};

TEST_F(StatusBar, ALiveTraceHasItsButtonsInASmallWindow) {
  for (const int width : {300, 400, 800}) {
    SCOPED_TRACE(width);
    live(width);
    if (IsSkipped() || HasFatalFailure()) return;
    EXPECT_NE(text().find("Live: "), std::string::npos) << text();
    EXPECT_NE(text().find("Follow|Stop|"), std::string::npos) << text();
    expect_no_overlap(width);
    EXPECT_TRUE(width < 800 || text().contains("|at ")) << text();
  }
}

// A filter that a panel has set is seen, and its bar is a click away.
TEST_F(StatusBar, AFilterWithoutItsBarIsSaid) {
  start(sized(1000, kBarHeight));
  if (IsSkipped()) return;
  open_sample();
  EXPECT_FALSE(text().contains("filter: ")) << text();
  ASSERT_TRUE(run("filter.set", {{"text", "type == render"}}));
  ASSERT_TRUE(host_->settle());
  EXPECT_TRUE(text().contains("filter: type == render|")) << text();
  expect_no_overlap(1000);
  click_on("filter: type");
  EXPECT_TRUE(session().dialogs.shows_find);
  ASSERT_TRUE(host_->settle());
  EXPECT_FALSE(text().contains("filter: ")) << text();
}

// The trace has no such message: everything is shown, which must not look like a filter's answer.
TEST_F(StatusBar, AFilterThatCannotBeAppliedIsSaid) {
  start(sized(1000, 500));  // the timeline asks for the filter
  if (IsSkipped()) return;
  open_sample();
  ASSERT_TRUE(run("filter.set", {{"text", "cause_of == 123456"}}));
  ASSERT_TRUE(host_->settle());
  EXPECT_TRUE(text().contains("filter without effect: column 13: no message has the id 123456|"))
      << text();
  ASSERT_TRUE(run("filter.set", {{"text", "render"}}));
  ASSERT_TRUE(host_->settle());
  EXPECT_TRUE(text().contains("filter: render|")) << text();
}

TEST_F(StatusBar, TheButtonsStayWhereTheyAreWhenTheyArePressed) {
  live(800);
  if (IsSkipped() || HasFatalFailure()) return;
  const auto before = find_text("Stop");
  ASSERT_TRUE(run("view.end", {{"follow", true}}));
  host_->frame();
  ASSERT_TRUE(find_text("Pause"));
  EXPECT_EQ(find_text("Stop")->x, before->x);
}

// A flight recorder is set by a button, where there is room for it, and held by a key.
TEST_F(StatusBar, WhatIsKeptIsSetByAButtonAndHeldByAKey) {
  live(400);
  if (IsSkipped() || HasFatalFailure()) return;
  const auto button = find_text("Keep");
  ASSERT_TRUE(button) << text();
  for (const bool is_down : {false, true, false}) at(button->x + 5, button->y - 3, is_down);
  host_->frame();
  EXPECT_TRUE(session().dialogs.shows_recorder);
  type("30s");
  key(ImGuiKey_Enter);
  host_->frame();
  EXPECT_FALSE(session().dialogs.shows_recorder);
  EXPECT_EQ(session().trace()->opening()->recording().keep.last, "30s");
  host_->frame();
  EXPECT_NE(text().find("Last 30s"), std::string::npos) << text();
  expect_no_overlap(400);

  ASSERT_TRUE(run("live.ask"));
  host_->frame();
  host_->frame();
  type("soon");
  key(ImGuiKey_Enter);
  EXPECT_TRUE(session().dialogs.shows_recorder);
  EXPECT_NE(shown_text().find("is neither a time"), std::string::npos);
  press("Escape");
  ASSERT_TRUE(run("live.ask", {{"shown", false}}));
  EXPECT_EQ(session().trace()->opening()->recording().keep.last, "30s");
  press("Space");
  EXPECT_TRUE(session().trace()->opening()->wait());
  host_->frame();
  EXPECT_FALSE(session().trace()->is_live());
}

TEST_F(StatusBar, ATraceOfOneInstantIsCalledSo) {
  start(sized(800, kBarHeight));
  if (IsSkipped()) return;
  for (const int64_t latency : {0, 7}) {
    ASSERT_TRUE(host_->open(testing::write_one_link(folder_.path(), latency)));
    host_->frame();
    EXPECT_EQ(text().contains("shown: one instant|"), latency == 0) << text();
    ASSERT_TRUE(run("close"));
  }
}

TEST_F(StatusBar, AMessageIsNotCrowdedOutInASmallWindow) {
  start(sized(400, kBarHeight));
  if (IsSkipped()) return;
  open_sample();
  EXPECT_FALSE(run("view.go", {{"at", "nowhere"}}));
  host_->frame();
  EXPECT_NE(text().find("Go to a time: "), std::string::npos) << text();
  expect_no_overlap(400);
}

// A click on the selection opens its sums.
TEST_F(StatusBar, ASelectedRangeOpensItsSums) {
  start(sized(1200, kBarHeight));
  if (IsSkipped()) return;
  open_sample();
  ASSERT_TRUE(run("select.range", {{"from", 1'000}, {"to", 3'000}}));
  host_->frame();
  click_on("selected: ");
  EXPECT_TRUE(session().desk.layout.first_of("selection"));
}

// Two bursts far from each other: a click leaves them alone in the picture.
TEST_F(StatusBar, EmptyTimeIsSaidAndCutOutByAClick) {
  start(sized(1200, kBarHeight));
  if (IsSkipped()) return;
  open_sample();
  ASSERT_TRUE(host_->settle());
  EXPECT_FALSE(text().contains("empty")) << text();
  const std::string path = (folder_.path() / "bursts.json").string();
  std::ofstream(path) << R"([{"ph":"X","pid":1,"tid":1,"name":"a","ts":0,"dur":20},
{"ph":"X","pid":1,"tid":1,"name":"b","ts":10000,"dur":30}])";
  ASSERT_TRUE(host_->open(path));
  ASSERT_TRUE(host_->settle());
  click_on("99 % empty: cut it out with C");
  ASSERT_TRUE(host_->settle());
  EXPECT_TRUE(text().contains("cut out in 1 place")) << text();
  EXPECT_TRUE(text().contains("|shown: 50.02 µs of 10.03 ms|")) << text();
  EXPECT_FALSE(text().contains("empty")) << text();
  ASSERT_TRUE(run("view.compress"));
  ASSERT_TRUE(run("view.zoom", {{"factor", 4}}));
  ASSERT_TRUE(host_->settle());
  EXPECT_FALSE(text().contains("empty")) << "it is of the whole trace: " << text();
  // If nothing is left of the view, all that remains is shown.
  ASSERT_TRUE(run("view.set", {{"from", "10%"}, {"to", "60%"}}));
  ASSERT_TRUE(run("view.compress"));
  ASSERT_TRUE(host_->settle());
  EXPECT_TRUE(session().trace()->shows_all());
}

TEST_F(StatusBar, OnlyTheTextOfAMessageLeadsToAllOfThem) {
  start(sized(1600, kBarHeight));
  if (!host_) return;
  open_sample();
  ASSERT_TRUE(run("view.undo"));
  ASSERT_TRUE(host_->settle());
  ASSERT_TRUE(find_text("No earlier view"));
  click(600, kBarHeight - 12);
  EXPECT_FALSE(session().dialogs.shows_messages) << "nothing is there";
  click_on("No earlier view");
  EXPECT_TRUE(session().dialogs.shows_messages);
}

}  // namespace
}  // namespace weft::app
