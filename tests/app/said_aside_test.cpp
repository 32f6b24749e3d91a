// Texts beside what is looked at: the status bar, the time between the cursors, the list of files,
// why a timeline is empty, why a table is not sorted. covers B-04, B-06, B-18
#include <algorithm>
#include <fstream>

#include "tests/app/offscreen_test.h"

namespace weft::app {
namespace {

class SaidAside : public testing::OffscreenTest {
 protected:
  void SetUp() override {
    start(sized(1000, 700));
    if (host_) open_sample();
  }
};

TEST_F(SaidAside, AFileToBeWrittenIsLitWhereItWouldBeReplaced) {
  for (const char* name : {"first.csv", "second.csv"}) std::ofstream(folder_.path() / name) << "x";
  const auto lit = [&](const char* name) {
    EXPECT_TRUE(run("file.ask", {{"shown", false}}));
    host_->frame();
    EXPECT_TRUE(run("file.ask", {{"command", "trace.export"},
                                 {"argument", "file"},
                                 {"file", (folder_.path() / name).string()}}));
    const render::Image image = picture("write.png");
    const auto ground = [&](const char* row) {
      const auto text = find_text(row);
      return text ? image.at(static_cast<int>(text->x) - 2, static_cast<int>(text->y)) : 0;
    };
    return std::pair(ground("first.csv"), ground("second.csv"));
  };
  const auto [first, second] = lit("third.csv");
  EXPECT_EQ(first, second) << "Enter takes neither";
  EXPECT_NE(first, 0u);
  EXPECT_NE(lit("second.csv").second, second);
  EXPECT_EQ(lit("second.csv").first, first);
}

TEST_F(SaidAside, AHintOfTheFileDialogIsWholeOrNotThere) {
  const auto has_hint = [&](int width) {
    start(sized(width, 400));
    if (IsSkipped()) return false;
    press("Ctrl+O");
    EXPECT_TRUE(host_->settle());
    EXPECT_TRUE(shown_text().contains(">Open as<"));
    return shown_text().contains("choose several<");
  };
  EXPECT_TRUE(has_hint(1000));
  EXPECT_FALSE(has_hint(500));
}

TEST_F(SaidAside, TheStatusBarSaysHowManyMessagesCameTogether) {
  const auto fail_twice = [&] {
    EXPECT_FALSE(run("view.go", {{"at", "nowhere"}}));
    EXPECT_FALSE(run("view.go", {{"at", "nowhere"}}));
    host_->frame();
  };
  EXPECT_FALSE(run("view.go", {{"at", "nowhere"}}));
  host_->frame();
  EXPECT_FALSE(shown_text().contains(" more<"));
  fail_twice();
  (void)picture("status-messages.png");
  EXPECT_TRUE(shown_text().contains(">2 more<")) << "nothing was done in between";
  press("F");
  fail_twice();
  EXPECT_TRUE(shown_text().contains(">1 more<"));
}

TEST_F(SaidAside, AMessageGoesAfterAWhileWithWhatIsDoneNext) {
  EXPECT_FALSE(run("marker.add"));
  press("L");
  EXPECT_TRUE(shown_text().contains("point at a time")) << "it has just been said";
  Input later;
  later.seconds = 11;
  host_->frame(later);
  host_->frame();
  EXPECT_TRUE(shown_text().contains("point at a time")) << "nobody has done anything";
  press("L");
  EXPECT_FALSE(shown_text().contains("point at a time"));
  EXPECT_EQ(session().messages.all.size(), 1u);
}

// covers B-28: an error is copied to be asked about
TEST_F(SaidAside, MessagesAreCopied) {
  const auto copy = [&](const std::string& line, const char* item) {
    ASSERT_TRUE(host_->settle());
    const auto text = find_text(line);
    ASSERT_TRUE(text) << shown_text();
    click(text->x + 3, text->y - 3, /*is_right=*/true);
    host_->frame();
    click_on(item);
  };
  EXPECT_FALSE(run("view.go", {{"at", "no\x1Bwhere"}}));
  EXPECT_FALSE(run("layout.load", {{"name", "none"}}));
  ASSERT_TRUE(run("messages.show"));
  copy("Go to a time: ", "Copy<");
  const std::string first = ImGui::GetClipboardText();
  EXPECT_TRUE(first.starts_with("Go to a time: ")) << first;
  EXPECT_TRUE(first.contains("no\\x1bwhere")) << first;
  copy("Go to a time: ", "Copy all lines<");
  const std::string both = ImGui::GetClipboardText();
  EXPECT_EQ(std::ranges::count(both, '\n'), 2) << both;
  EXPECT_TRUE(both.ends_with(first + "\n")) << both;
  ASSERT_TRUE(run("messages.show", {{"shown", false}}));
  host_->workbench().show_only("console");
  copy("layout.load: no layout", "Copy<");
  EXPECT_EQ(std::string(ImGui::GetClipboardText()), session().messages.last.text);
}

TEST_F(SaidAside, TheTimeBetweenTheCursorsStandsInTheRuler) {
  host_->workbench().show_only("gantt");
  ASSERT_TRUE(run("marker.add", {{"at", 30'000}, {"name", "Landmark"}}));
  ASSERT_TRUE(run("marker.a", {{"at", 20'000}}));
  ASSERT_TRUE(run("marker.b", {{"at", 60'000}}));
  (void)picture("cursors.png");
  ASSERT_TRUE(run("select.range", {{"from", 30'000}, {"to", 47'300}}));
  (void)picture("cursors-selection.png");
  const auto length_y = [&] { return find_text("17.3 µs").value_or(testing::ShownText()).y; };
  EXPECT_GT(length_y(), find_text("B − A = 40 µs")->y) << "one below the other";
  ASSERT_TRUE(run("marker.clear_cursors"));
  (void)picture("selection-length.png");
  EXPECT_LT(length_y(), find_text("Landmark")->y - 5);
  ASSERT_TRUE(run("select.clear"));
  ASSERT_TRUE(run("marker.a", {{"at", 20'000}}));
  ASSERT_TRUE(run("marker.b", {{"at", 60'000}}));
  (void)picture("cursors.png");
  const auto apart = find_text("B − A = 40 µs"), name = find_text("Landmark");
  ASSERT_TRUE(apart && name);
  EXPECT_LT(apart->y, name->y - name->size_px) << "names below it are not covered";
  // If there is no room between the cursors, the time stands beside them.
  ASSERT_TRUE(run("marker.b", {{"at", 20'500}}));
  (void)picture("cursors-close.png");
  const auto beside = find_text("B − A = 500 ns"), b = find_text("B");
  ASSERT_TRUE(beside && b);
  EXPECT_GT(beside->x, find_text("A<")->x + 10);
}

TEST_F(SaidAside, TheStatusBarSaysTheLengthThatTheOverviewSays) {
  ASSERT_TRUE(host_->open(testing::write_one_event(folder_.path())));
  (void)picture("status.png");
  EXPECT_TRUE(shown_text().contains(">shown: 10 ns<"));
  EXPECT_FALSE(shown_text().contains("Whole trace"));
  ASSERT_TRUE(run("view.zoom", {{"factor", 2}}));
  (void)picture("status-zoomed.png");
  EXPECT_TRUE(shown_text().contains("Whole trace"));
}

TEST_F(SaidAside, AnEmptyTimelineSaysWhy) {
  const std::string passes_none = ">No event passes the filter<";
  ASSERT_TRUE(run("filter.set", {{"text", "nowhere"}, {"mode", "dim"}}));
  ASSERT_TRUE(host_->settle());
  EXPECT_FALSE(shown_text().contains(passes_none)) << "the rest is greyed";
  ASSERT_TRUE(run("filter.mode", {{"mode", "hide"}}));
  (void)picture("timeline-passes-none.png");
  EXPECT_TRUE(shown_text().contains(passes_none)) << shown_text();
  ASSERT_TRUE(run("lane.hide_empty", {{"on", true}}));
  ASSERT_TRUE(host_->settle());
  EXPECT_TRUE(shown_text().contains("lanes in which nothing passes it are hidden"));
  ASSERT_TRUE(run("filter.clear"));
  ASSERT_TRUE(run("lane.filter", {{"text", "nobody"}}));
  ASSERT_TRUE(host_->settle());
  EXPECT_TRUE(shown_text().contains("No lane has \"nobody\" in its name")) << shown_text();
  ASSERT_TRUE(run("lane.filter", {{"text", "thread"}}));
  for (const int process : {0, 3}) ASSERT_TRUE(run("lane.hide", {{"lane", process}}));
  ASSERT_TRUE(host_->settle());
  EXPECT_FALSE(shown_text().contains("No lane has"));
  EXPECT_TRUE(shown_text().contains("Lanes with \"thread\" in their names are hidden"))
      << shown_text();
  ASSERT_TRUE(run("lane.show_all"));
  ASSERT_TRUE(run("lane.filter", {{"text", ""}}));
  ASSERT_TRUE(host_->settle());
  EXPECT_FALSE(shown_text().contains("No lane has"));
}

TEST_F(SaidAside, ALinkThatNeverArrivedSaysSoWhereItIsFollowed) {
  ASSERT_TRUE(run("filter.set", {{"text", "category == link && !(latency >= 0)"}}));
  ASSERT_TRUE(run("find.next"));
  ASSERT_TRUE(host_->settle());
  ASSERT_TRUE(session().trace()->element());
  ASSERT_TRUE(run("element.along_link"));
  ASSERT_TRUE(host_->settle());
  EXPECT_TRUE(session().messages.last.text.contains("this link never arrived"))
      << session().messages.last.text;
}

// Such an expression can be read, but no trace could answer it.
TEST_F(SaidAside, AnExpressionWithoutAMeaningChangesNothing) {
  ASSERT_TRUE(run("filter.set", {{"text", "tick"}}));
  for (const char* text : {"dur > foo", "type =~ /(/", "type == /tick/", "category == stat"}) {
    EXPECT_FALSE(run("filter.set", {{"text", text}})) << text;
    EXPECT_FALSE(run("filter.add", {{"text", text}})) << text;
    EXPECT_EQ(session().trace()->view().filter.text, "tick") << text;
  }
  press("Ctrl+F");
  type("tick && dur > fo");  // in place of what was there
  ASSERT_TRUE(host_->settle());
  EXPECT_EQ(session().trace()->view().filter.text, "tick");
  EXPECT_TRUE(
      shown_text().contains(">still shown: tick; column 15: 'fo' is not a number, and dur is one<"))
      << shown_text();
}

TEST_F(SaidAside, AColumnThatIsNotThereSortsNothingAndIsSaid) {
  ASSERT_TRUE(run("panel.open", {{"panel", "events"}}));
  ASSERT_TRUE(run("table.sort", {{"column", "-duration"}}));
  ASSERT_TRUE(host_->settle());
  EXPECT_EQ(session().messages.last.text, "");
  ASSERT_TRUE(run("table.sort", {{"column", "size"}}));
  ASSERT_TRUE(host_->settle());
  EXPECT_TRUE(session().messages.last.is_error);
  EXPECT_TRUE(session().messages.last.text.starts_with(
      "panel 'events' has no column 'size', but: time, lane, category, type, duration"))
      << session().messages.last.text;
  EXPECT_EQ(session().desk.layout.first_of("events")->options.at("sort"), "-duration");
  ASSERT_TRUE(run("table.sort", {{"panel", "events"}, {"table", "pairs"}, {"column", "time"}}));
  ASSERT_TRUE(host_->settle());
  EXPECT_EQ(session().messages.last.text,
            "table 'pairs' of panel 'events' is not there to be sorted");
  EXPECT_FALSE(session().desk.layout.first_of("events")->options.contains("pairs.sort"));
  ASSERT_TRUE(run("panel.open", {{"panel", "journal"}}));
  ASSERT_TRUE(run("table.sort", {{"panel", "journal"}, {"column", "step"}}));
  ASSERT_TRUE(host_->settle());
  EXPECT_EQ(session().messages.last.text, "panel 'journal' cannot be sorted");
}

}  // namespace
}  // namespace weft::app
