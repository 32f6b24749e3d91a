// covers B-15, C-11, C-12, XC-32: several traces on one time line
#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "tests/app/offscreen_test.h"

namespace weft::app {
namespace {

constexpr int kWidth = 1000;
constexpr int kHeight = 700;

class SeveralTraces : public testing::OffscreenTest {
 protected:
  void SetUp() override { start(); }
  void start() { OffscreenTest::start(lasting(kWidth, kHeight)); }
  // The sample, 100 000 ns from 0 on, and a state of 10 ns at 100.
  void open_both() {
    ASSERT_TRUE(host_->open(testing::write_sample(folder_.path())));
    ASSERT_TRUE(host_->open(testing::write_one_event(folder_.path())));
    ASSERT_TRUE(host_->settle());
  }
  const OpenTrace& trace(size_t i) const { return *session().traces[i]; }
  TimeRange shown(size_t i) const { return trace(i).view().window.range(); }
  uint64_t trace_of(const char* panel) const {
    const PanelInstance* instance = session().desk.layout.find(panel);
    return instance && instance->stays_with_trace() ? instance->pinned->trace_id : 0;
  }
};

TEST_F(SeveralTraces, EachHasATimelineAndTheyMoveTogether) {
  open_both();
  ASSERT_TRUE(run("trace.stack"));
  EXPECT_EQ(trace_of("gantt"), trace(0).id());
  EXPECT_EQ(trace_of("gantt-2"), trace(1).id());
  ASSERT_TRUE(run("view.set", {{"from", 1'000}, {"to", 3'000}, {"in", "gantt"}}));
  EXPECT_EQ(shown(0), (TimeRange{{1'000}, {3'000}}));
  EXPECT_EQ(shown(1), shown(0));
  ASSERT_TRUE(run("view.pan", {{"ticks", 500}, {"in", "gantt-2"}}));
  EXPECT_EQ(shown(0), (TimeRange{{1'500}, {3'500}}));
  (void)picture("several-stacked.png");
  ASSERT_TRUE(run("trace.beside"));
  (void)picture("several-beside.png");
  ASSERT_TRUE(run("trace.part"));
  EXPECT_EQ(session().desk.layout.find("gantt-2"), nullptr);
  EXPECT_FALSE(session().couples_traces);
  ASSERT_TRUE(run("view.set", {{"from", 0}, {"to", 50}}));
  EXPECT_NE(shown(0), shown(1));
}

// Two parts without a size of their own between two that have one.
Json with_events_below() {
  return Json::parse(R"({
    "panels": [{"id": "overview", "kind": "overview"}, {"id": "gantt", "kind": "gantt"},
               {"id": "events", "kind": "events"}, {"id": "density", "kind": "density"}],
    "root": {"column": [{"px": 76, "tabs": ["overview"]}, {"weight": 1.4, "tabs": ["gantt"]},
                        {"weight": 0.6, "tabs": ["events"]}, {"px": 132, "tabs": ["density"]}]}
  })");
}

// covers B-15
TEST_F(SeveralTraces, OnOneLineLeaveTheOtherPanelsTheirSizes) {
  open_both();
  ASSERT_TRUE(run("layout.load", {{"layout", with_events_below()}}));
  const auto sizes = [&](std::vector<const char*> panels) {
    EXPECT_TRUE(host_->settle());
    std::vector<float> px;
    for (const char* panel : panels) {
      const Area area = host_->workbench().place_of(panel).value();
      px.push_back(area.width());
      px.push_back(area.height());
    }
    return px;
  };
  const std::vector<float> others = sizes({"overview", "events", "density"});
  const std::vector<float> own = sizes({"gantt"});
  for (const char* command : {"trace.stack", "trace.beside", "trace.stack"}) {
    ASSERT_TRUE(run(command));
    EXPECT_EQ(sizes({"overview"})[1], others[1]) << command;
    EXPECT_NEAR(sizes({"density"})[1], others[5], 1) << command << ": but for rounding";
    EXPECT_NEAR(sizes({"events"})[1], others[3], 6) << command << ": but for a splitter";
  }
  // Those that the user has sized stay so where nothing is to be added.
  ASSERT_TRUE(run("panel.resize", {{"panel", "gantt"}, {"beside", "gantt-2"}, {"share", 0.3}}));
  const std::vector<float> sized = sizes({"gantt", "gantt-2"});
  ASSERT_TRUE(run("trace.stack"));
  EXPECT_EQ(sizes({"gantt", "gantt-2"}), sized);
  ASSERT_TRUE(run("trace.part"));
  EXPECT_EQ(sizes({"overview", "events", "density"}), others);
  EXPECT_EQ(sizes({"gantt"}), own);
}

TEST_F(SeveralTraces, EndedByClosingATraceLeaveTheOthersTheirSizes) {
  open_both();
  ASSERT_TRUE(run("layout.load", {{"layout", with_events_below()}}));
  ASSERT_TRUE(host_->settle());
  const float before = host_->workbench().place_of("events").value().height();
  ASSERT_TRUE(run("trace.stack"));
  ASSERT_TRUE(run("close"));
  ASSERT_TRUE(host_->settle());
  EXPECT_EQ(host_->workbench().place_of("events").value().height(), before);
}

TEST_F(SeveralTraces, AreWalkedThroughAndClosedFromTheirTabs) {
  open_both();
  ASSERT_TRUE(host_->open(testing::write_empty_trace(folder_.path())));
  ASSERT_TRUE(host_->settle());
  const uint64_t second = trace(1).id();
  press("Ctrl+Tab");
  EXPECT_EQ(session().current, 0u) << "round the end";
  press("Ctrl+Tab");
  EXPECT_EQ(session().current, 1u);
  press("Ctrl+Shift+Tab");
  EXPECT_EQ(session().current, 0u);
  // The menu of the second one's tab.
  const auto tab = find_text("one");
  ASSERT_TRUE(tab);
  const auto press_at = [&](float x, float y, bool is_right) {
    for (const bool is_down : {false, true, false, false}) {
      Pointer pointer{.x = x, .y = y};
      (is_right ? pointer.is_right_down : pointer.is_down) = is_down;
      host_->frame({}, pointer);
    }
  };
  press_at(tab->x + 4, tab->y - 4, true);
  const auto entry = find_text("Close the others");
  ASSERT_TRUE(entry) << shown_text();
  press_at(entry->x + 4, entry->y - 4, false);
  ASSERT_EQ(session().traces.size(), 1u);
  EXPECT_EQ(trace(0).id(), second);
  EXPECT_FALSE(run("trace.next"));
}

TEST_F(SeveralTraces, HaveTabsThatAllHaveRoom) {
  for (int i = 0; i < 30; ++i) {
    const auto path = folder_.path() / ("trace-of-the-many-" + std::to_string(i) + ".weft");
    std::filesystem::copy_file(testing::write_one_event(folder_.path()), path);
    ASSERT_TRUE(host_->open(path));
  }
  (void)picture("many-tabs.png");
  float last = 0;
  const std::string shown = shown_text();
  size_t tabs = 0;
  for (size_t at = 0; (at = shown.find(">trace", at)) != std::string::npos; ++at) {
    const size_t x = shown.rfind(" x=\"", at);
    last = std::max(last, std::strtof(shown.c_str() + x + 4, nullptr));
    ++tabs;
  }
  EXPECT_GT(tabs, 0u);
  EXPECT_LT(last, static_cast<float>(kWidth));
}

TEST_F(SeveralTraces, FitShowsAllOfThem) {
  open_both();
  ASSERT_TRUE(run("trace.stack"));
  ASSERT_TRUE(run("trace.offset", {{"index", 1}, {"to", "200us"}}));
  ASSERT_TRUE(run("view.fit"));
  // From the sample's begin to the one event's end.
  EXPECT_EQ(trace(0).view().window, TimeWindow::all_of({trace(0).range().begin, Time{200'111}}));
  EXPECT_EQ(shown(0).end - Time{200'111}, shown(1).end - Time{111});
}

TEST_F(SeveralTraces, ThatLieFarApartCanBeAligned) {
  open_both();
  ASSERT_TRUE(run("trace.stack"));
  EXPECT_FALSE(session().messages.last.offer);
  ASSERT_TRUE(run("trace.offset", {{"index", 1}, {"to", "1s"}}));
  ASSERT_TRUE(run("trace.stack"));
  ASSERT_TRUE(session().messages.last.offer);
  EXPECT_EQ(session().messages.last.offer->command, "trace.align");
  const Json begins = session().messages.last.offer->args;
  ASSERT_TRUE(run("view.fit"));
  ASSERT_TRUE(run("trace.align", begins));
  EXPECT_TRUE(session().trace()->shows_all()) << "who saw all of the line sees all of it";
  EXPECT_LT(shown(0).length(), Duration{1'000'000});
  ASSERT_TRUE(run("trace.stack"));
  const auto begin_on_line = [&](size_t i) {
    return trace(i).range().begin + trace(i).on_line().offset;
  };
  EXPECT_EQ(begin_on_line(0), begin_on_line(1));
}

TEST_F(SeveralTraces, TheOverviewShowsATraceWhereItLiesOnTheLine) {
  open_both();
  ASSERT_TRUE(run("trace.stack"));
  ASSERT_TRUE(run("trace.offset", {{"index", 1}, {"to", "400us"}}));
  ASSERT_TRUE(run("view.fit"));
  const render::Image shown = picture("several-overview.png");
  const auto place = host_->workbench().place_of("overview");
  ASSERT_TRUE(place);
  const auto has_bar = [&](float x) {  // the bars' blue, in the lower half of the strip
    const auto at = static_cast<size_t>(x) + static_cast<size_t>(place->y0 + 50) * kWidth;
    const uint32_t pixel = shown.pixels[at];
    return (pixel >> 16 & 255) > 140 && (pixel & 255) < 120;
  };
  int before = 0;
  for (float x = 250; x < place->x1 - 12; ++x) before += has_bar(x);
  EXPECT_EQ(before, 0);
  bool is_at_the_end = false;
  for (float x = place->x1 - 12; x < place->x1; ++x) is_at_the_end |= has_bar(x);
  EXPECT_TRUE(is_at_the_end);
}

// covers FS-25
TEST_F(SeveralTraces, EmptyTimeIsCutInAllOfThemAlike) {
  open_both();
  ASSERT_TRUE(run("trace.stack"));
  ASSERT_TRUE(run("trace.offset", {{"index", 1}, {"to", "400us"}}));
  ASSERT_TRUE(run("view.fit"));
  ASSERT_TRUE(run("view.compress", {{"longer_than", "50us"}, {"in", "gantt-2"}}));
  ASSERT_TRUE(host_->settle());
  const auto& cuts = trace(0).folded_time().cuts();
  ASSERT_TRUE(cuts);
  ASSERT_EQ(cuts->cuts().size(), 1u);  // from the sample's end to the one event
  EXPECT_EQ(cuts->cuts()[0].begin, trace(0).range().end);
  EXPECT_EQ(cuts->cuts()[0].end, Time{400'100});
  EXPECT_EQ(trace(1).folded_time().cuts()->cuts()[0].end, Time{100});
  EXPECT_TRUE(shown(0).contains(Time{400'110}));  // views are in the traces' own time
  (void)picture("several-cut.png");
  const TimeWindow folded = trace(0).folded_time().fold(trace(0).view().window);
  EXPECT_NEAR(folded.length, 100'000, 1'000);
  ASSERT_TRUE(run("view.compress", {{"in", "gantt"}}));
  ASSERT_TRUE(host_->settle());
  EXPECT_FALSE(trace(0).folded_time().cuts());
  EXPECT_FALSE(trace(1).folded_time().cuts());
}

TEST_F(SeveralTraces, TenStepsInAnyOfThemAreUndone) {
  open_both();
  ASSERT_TRUE(run("trace.stack"));
  ASSERT_TRUE(run("view.set", {{"from", 0}, {"to", 50'000}}));
  ASSERT_TRUE(host_->settle());
  const render::Image before = host_->picture();
  const View views[] = {trace(0).view(), trace(1).view()};
  for (int i = 0; i < 10; ++i) {
    const char* panel = i % 3 == 0 ? "gantt-2" : "gantt";
    if (i == 4) {
      ASSERT_TRUE(run("trace.offset", {{"index", 1}, {"by", 777}}));
    } else if (i == 7) {
      ASSERT_TRUE(run("trace.align", {{"by", "begins"}, {"in", "gantt"}}));
    } else {
      ASSERT_TRUE(run("view.zoom", {{"factor", 1.3}, {"in", panel}}));
    }
  }
  const View far[] = {trace(0).view(), trace(1).view()};
  for (int i = 0; i < 10; ++i) ASSERT_TRUE(run("view.undo", {{"in", i % 2 ? "gantt" : "gantt-2"}}));
  EXPECT_EQ(trace(0).view(), views[0]);
  EXPECT_EQ(trace(1).view(), views[1]);
  ASSERT_TRUE(host_->settle());
  EXPECT_EQ(host_->picture().pixels, before.pixels);
  for (int i = 0; i < 10; ++i) ASSERT_TRUE(run("view.redo"));
  EXPECT_EQ(trace(0).view(), far[0]);
  EXPECT_EQ(trace(1).view(), far[1]);
  // Undone steps are gone once one of the traces moves elsewhere.
  ASSERT_TRUE(run("view.undo", {{"in", "gantt"}}));
  ASSERT_TRUE(run("view.set", {{"from", 5}, {"to", 100}, {"in", "gantt-2"}}));
  EXPECT_NE(obstacle_to("view.redo", session()), "");
}

TEST_F(SeveralTraces, TheyAreAlignedByWhatTheyHave) {
  open_both();
  ASSERT_TRUE(run("trace.couple"));
  ASSERT_TRUE(run("trace.select", {{"index", 0}}));
  ASSERT_TRUE(run("trace.align", {{"by", "begins"}}));
  EXPECT_EQ(trace(1).view().offset, trace(0).range().begin - trace(1).range().begin);
  EXPECT_EQ(trace(0).view().offset, Duration());
  EXPECT_FALSE(run("trace.align", {{"by", "events"}}));
  ASSERT_TRUE(run("select.range", {{"from", 4'000}, {"to", 5'000}}));
  EXPECT_FALSE(run("trace.align", {{"by", "selections"}}));
  ASSERT_TRUE(run("trace.select", {{"index", 1}}));
  ASSERT_TRUE(run("select.range", {{"from", 100}, {"to", 110}}));
  ASSERT_TRUE(run("trace.align", {{"by", "selections"}}));  // the current one stays
  EXPECT_EQ(Time{4'000} + trace(0).view().offset, Time{100} + trace(1).view().offset);
  ASSERT_TRUE(run("trace.align", {{"by", "clock"}}));
  EXPECT_EQ(trace(0).view().offset, Duration());
  EXPECT_EQ(trace(1).view().offset, Duration());
  EXPECT_FALSE(run("trace.align", {{"by", "magic"}}));
}

// covers C-11, B-15
TEST_F(SeveralTraces, TwoPairsOfInstantsTellHowAClockDrifts) {
  open_both();
  ASSERT_TRUE(run("trace.couple"));
  ASSERT_TRUE(run("marker.a", {{"at", 100}}));
  ASSERT_TRUE(run("marker.b", {{"at", 200}}));
  ASSERT_TRUE(run("trace.select", {{"index", 0}}));
  EXPECT_FALSE(run("trace.align", {{"by", "cursors"}})) << "they are set in one trace only";
  EXPECT_TRUE(session().messages.last.is_error);
  ASSERT_TRUE(run("marker.a", {{"at", 4'000}}));
  ASSERT_TRUE(run("marker.b", {{"at", 4'101}}));
  const View before = trace(1).view();
  ASSERT_TRUE(run("trace.align", {{"by", "cursors"}}));
  EXPECT_FALSE(session().messages.last.is_error) << "what had failed is done";
  EXPECT_EQ(trace(0).view().rate, ClockRate());  // the current one stays
  for (const auto& [there, here] : {std::pair(100, 4'000), {200, 4'101}}) {
    EXPECT_EQ(on_line(Time{there}, trace(1).on_line(), trace(0).on_line()), Time{here});
  }
  // Set by value; impossible values are refused; undone like every step.
  const ClockRate stretched = trace(1).view().rate;
  const Duration shift = trace(1).shift();
  ASSERT_TRUE(run("trace.offset", {{"index", 1}, {"drift", 10'000}}));
  EXPECT_DOUBLE_EQ(trace(1).view().rate.factor(), 1.01);
  EXPECT_EQ(trace(1).shift(), shift) << "it begins where it did";
  EXPECT_FALSE(run("trace.offset", {{"index", 1}, {"drift", 1e9}}));
  ASSERT_TRUE(run("view.undo"));
  EXPECT_EQ(trace(1).view().rate, stretched);
  ASSERT_TRUE(run("view.undo"));
  EXPECT_EQ(trace(1).view().rate, before.rate);
  ASSERT_TRUE(run("marker.b", {{"at", 3'000}}));
  EXPECT_FALSE(run("trace.align", {{"by", "cursors"}})) << "time runs backwards in one of them";
}

// covers XC-28, B-01: also where each trace moves by itself, and another one is looked at
TEST_F(SeveralTraces, BackTakesAnOffsetBack) {
  open_both();
  for (const bool is_coupled : {false, true}) {
    ASSERT_TRUE(run("trace.couple", {{"on", is_coupled}}));
    ASSERT_TRUE(run("trace.select", {{"index", 0}}));
    const View first = trace(0).view(), second = trace(1).view();
    ASSERT_TRUE(run("trace.align", {{"by", "begins"}}));
    const Duration aligned = trace(1).view().offset;
    EXPECT_NE(aligned, second.offset);
    ASSERT_TRUE(run("trace.offset", {{"index", 1}, {"by", 500}}));
    ASSERT_TRUE(run("view.undo"));
    EXPECT_EQ(trace(1).view().offset, aligned);
    ASSERT_TRUE(run("view.undo"));
    EXPECT_EQ(trace(1).view().offset, second.offset);
    EXPECT_EQ(trace(0).view(), first);
    ASSERT_TRUE(run("view.redo"));
    EXPECT_EQ(trace(1).view().offset, aligned);
    ASSERT_TRUE(run("view.undo"));
  }
}

TEST_F(SeveralTraces, AnOffsetIsDraggedOnTheRuler) {
  open_both();
  ASSERT_TRUE(run("trace.stack"));
  ASSERT_TRUE(run("view.set", {{"from", 0}, {"to", 100'000}}));
  ASSERT_TRUE(host_->settle());
  const View unmoved = trace(1).view();
  // The ruler of the lower timeline: below its tab, in the middle of what is left for both.
  constexpr float kTop = 21 + 76, kBottom = kHeight - 26 - 132;
  constexpr float lower = (kTop + kBottom) / 2 + 25 + 13;
  const auto at = [&](float x, bool is_down) {
    Pointer pointer;
    pointer.x = x;
    pointer.y = lower;
    pointer.is_down = is_down;
    pointer.control = true;
    host_->frame({}, pointer);
  };
  const TimeRange before = shown(0);
  at(500, false);
  at(500, true);
  for (float x = 510; x <= 600; x += 10) at(x, true);
  at(600, false);
  host_->frame();
  const double ticks_per_px = 100'000.0 / (kWidth - 240);
  EXPECT_NEAR(static_cast<double>(trace(1).view().offset.ticks), 100 * ticks_per_px, ticks_per_px);
  EXPECT_EQ(shown(0), before);
  ASSERT_TRUE(run("view.undo"));
  EXPECT_EQ(trace(1).view(), unmoved) << "a drag is one step";
}

TEST_F(SeveralTraces, TheNextStartHasThemAsTheyWere) {
  open_both();
  ASSERT_TRUE(run("trace.stack"));
  ASSERT_TRUE(run("trace.offset", {{"index", 1}, {"to", 12'345}}));
  ASSERT_TRUE(run("view.set", {{"from", 10'000}, {"to", 30'000}, {"in", "gantt"}}));
  (void)picture("several-before-restart.png");
  const render::Image before = host_->picture();
  start();
  ASSERT_TRUE(host_->workbench().wait_until_loaded());
  ASSERT_TRUE(host_->settle());
  EXPECT_TRUE(session().couples_traces);
  EXPECT_EQ(trace(1).view().offset, Duration{12'345});
  EXPECT_EQ(shown(0), (TimeRange{{10'000}, {30'000}}));
  EXPECT_EQ(trace_of("gantt-2"), trace(1).id());
  EXPECT_EQ(trace_of("gantt"), trace(0).id());
}

// covers XC-31
TEST_F(SeveralTraces, AStartWithAnotherFileHasOneTimeline) {
  open_both();
  ASSERT_TRUE(run("trace.stack"));
  ASSERT_TRUE(run("panel.open", {{"panel", "legend"}}));
  OffscreenHost::Options options = lasting(kWidth, kHeight);
  options.reopens = false;
  OffscreenTest::start(options);
  open_sample();
  EXPECT_EQ(session().desk.layout.count_of("gantt"), 1u);
  EXPECT_EQ(session().desk.layout.count_of("legend"), 1u) << "the rest is as it was";
}

TEST_F(SeveralTraces, TheNextStartHasThePinnedViews) {
  open_both();
  ASSERT_TRUE(run("trace.select", {{"index", 0}}));
  ASSERT_TRUE(run("panel.duplicate", {{"panel", "gantt"}, {"side", "bottom"}}));
  ASSERT_TRUE(run("panel.pin", {{"panel", "gantt-2"}}));
  ASSERT_TRUE(run("view.set", {{"from", 20'000}, {"to", 25'000}, {"in", "gantt-2"}}));
  start();
  ASSERT_TRUE(host_->workbench().wait_until_loaded());
  ASSERT_TRUE(host_->settle());
  const PanelInstance* panel = session().desk.layout.find("gantt-2");
  ASSERT_TRUE(panel && panel->pinned && panel->pinned->history);
  EXPECT_EQ(panel->pinned->trace_id, trace(0).id());
  EXPECT_EQ(panel->pinned->history->view.window.range(), (TimeRange{{20'000}, {25'000}}));
  EXPECT_NE(shown(0), (TimeRange{{20'000}, {25'000}}));
}

TEST_F(SeveralTraces, AClosedTraceTakesItsTimelineAlong) {
  open_both();
  ASSERT_TRUE(run("trace.stack"));
  ASSERT_TRUE(run("close", {{"in", "gantt-2"}}));
  EXPECT_EQ(session().desk.layout.find("gantt-2"), nullptr);
  ASSERT_TRUE(run("close"));
  ASSERT_TRUE(session().desk.layout.find("gantt"));
  EXPECT_FALSE(session().desk.layout.find("gantt")->pinned);
  ASSERT_TRUE(host_->settle());
}

TEST_F(SeveralTraces, OfWhichOneIsClosedTheOthersAreShownInFull) {
  open_both();
  ASSERT_TRUE(run("trace.stack"));
  ASSERT_TRUE(run("trace.offset", {{"to", "10s"}, {"index", 0}}));
  ASSERT_TRUE(run("view.fit"));
  ASSERT_TRUE(run("close", {{"index", 0}}));
  EXPECT_EQ(trace(0).view().window, TimeWindow::all_of(trace(0).range()))
      << "not a place where the other was";
}

TEST_F(SeveralTraces, ACursorIsSetInTheTraceUnderThePointerAtAnEdge) {
  open_both();
  ASSERT_TRUE(run("trace.stack"));
  ASSERT_TRUE(run("view.set", {{"from", 0}, {"to", 200}}));
  ASSERT_TRUE(run("panel.focus", {{"panel", "gantt"}}));
  ASSERT_TRUE(host_->settle());
  // Near the begin of the lower trace's only state, at 100.
  const auto place = host_->workbench().place_of("gantt-2");
  ASSERT_TRUE(place);
  const float px_per_tick = (place->x1 - 240) / 200;
  const auto is_there = [&](float y) {
    Pointer pointer;
    pointer.x = 240 + 100 * px_per_tick - 3;
    pointer.y = y;
    host_->frame({}, pointer);
    host_->frame({}, pointer);
    return session().hover && session().hover->edge == Time{100};
  };
  float y = place->y0 + 40;
  while (y < place->y1 && !is_there(y)) y += 5;
  ASSERT_TRUE(session().hover);
  EXPECT_NE(session().hover->time, Time{100});
  press("Alt+A");
  EXPECT_EQ(trace(1).markers.a(), Time{100});
  EXPECT_FALSE(trace(0).markers.a());
}

TEST_F(SeveralTraces, WhoSeesAllOfATraceSeesAllOfTheLine) {
  open_both();
  ASSERT_TRUE(run("view.fit"));  // of the one event
  ASSERT_TRUE(run("trace.stack"));
  EXPECT_EQ(trace(0).view().window, TimeWindow::all_of(trace(0).range()));
}

TEST_F(SeveralTraces, AClickMakesItsTraceTheCurrentOne) {
  open_both();
  ASSERT_TRUE(run("trace.stack"));
  ASSERT_TRUE(run("panel.focus", {{"panel", "gantt"}}));
  EXPECT_EQ(session().trace(), session().traces[0].get());
  ASSERT_TRUE(run("panel.focus", {{"panel", "gantt-2"}}));
  EXPECT_EQ(session().trace(), session().traces[1].get());
  ASSERT_TRUE(run("trace.select", {{"index", 0}}));
  EXPECT_EQ(session().desk.layout.focused(), "gantt");
}

// A colour that only the other trace declares is that of its rows, too.
TEST_F(SeveralTraces, TheComparisonHasTheColoursOfEither) {
  const auto with_color = [&](const char* file, const char* name, const char* color) {
    const auto path = folder_.path() / file;
    std::ofstream(path) << R"([{"name":")" << name
                        << R"(","ph":"X","pid":1,"tid":1,"ts":0,"dur":9,"cname":")" << color
                        << R"("}])";
    ASSERT_TRUE(host_->open(path));
  };
  with_color("a.json", "of a", "good");
  with_color("b.json", "of b", "terrible");
  ASSERT_TRUE(run("panel.open", {{"panel", "compare"}}));
  const auto declared = [&](size_t i) {
    return render::color_from_rgb(trace(i).trace()->dictionary().types[0].rgb & 0xFFFFFF);
  };
  for (const size_t shown : {0, 1}) {
    ASSERT_TRUE(run("trace.select", {{"index", shown}}));
    const render::Image image = picture("compare-colors.png");
    const Area area = host_->workbench().place_of("compare").value();
    for (const size_t of : {0, 1}) {
      size_t pixels = 0;
      for (int y = static_cast<int>(area.y0); y < static_cast<int>(area.y1); ++y) {
        for (int x = static_cast<int>(area.x0); x < static_cast<int>(area.x0) + 40; ++x)
          pixels += (image.at(x, y) & 0xFFFFFF) == (declared(of) & 0xFFFFFF) ? 1 : 0;
      }
      EXPECT_GT(pixels, 30u) << "of trace " << of << " while " << shown << " is shown";
    }
  }
}

TEST_F(SeveralTraces, TheComparisonIsATableOfBoth) {
  open_both();
  ASSERT_TRUE(run("panel.open", {{"panel", "compare"}}));
  ASSERT_TRUE(run("panel.set", {{"panel", "compare"}, {"option", "sort"}, {"value", "name"}}));
  ASSERT_TRUE(host_->settle());
  ASSERT_TRUE(run("table.copy", {{"panel", "compare"}, {"format", "json"}}));
  ASSERT_TRUE(host_->settle());
  const Json rows = Json::parse(ImGui::GetClipboardText(), nullptr, false);
  ASSERT_TRUE(rows.is_array());
  double in_a = 0, in_b = 0;
  for (const Json& row : rows) {
    in_a += row["count_a"].get<double>();
    in_b += row["count_b"].get<double>();
    EXPECT_EQ(row["total_difference"].get<double>(),
              row["total_b"].get<double>() - row["total_a"].get<double>());
    EXPECT_LE(row["self_a"].get<double>(), row["total_a"].get<double>());
  }
  EXPECT_EQ(in_a, static_cast<double>(trace(0).trace()->counts()[trace::Category::kState]));
  EXPECT_EQ(in_b, 1);
  (void)picture("compare.png");
  EXPECT_TRUE(shown_text().contains(">B − A<"));
  EXPECT_TRUE(shown_text().contains(">Total<")) << "what they are of, above them";

  // Any metric that the command line has: here, how many events of all kinds.
  ASSERT_TRUE(run("panel.set", {{"panel", "compare"}, {"option", "metric"}, {"value", "count"}}));
  ASSERT_TRUE(host_->settle());
  ASSERT_TRUE(run("table.copy", {{"panel", "compare"}, {"format", "json"}}));
  ASSERT_TRUE(host_->settle());
  in_a = 0;
  for (const Json& row : Json::parse(ImGui::GetClipboardText())) {
    in_a += row["count_a"].get<double>();
    EXPECT_EQ(row.size(), 5u) << "a number has no total, mean and longest: " << row;
  }
  EXPECT_EQ(in_a, static_cast<double>(trace(0).trace()->counts().total()));
}

TEST_F(SeveralTraces, OnlyWhatDiffersIsListedWhereThatIsChosen) {
  open_both();
  ASSERT_TRUE(run("panel.open", {{"panel", "compare"}}));
  const auto set = [&](const char* option, const char* value) {
    ASSERT_TRUE(run("panel.set", {{"panel", "compare"}, {"option", option}, {"value", value}}));
    ASSERT_TRUE(host_->settle());
  };
  set("b", "0");
  (void)picture("compare-same.png");
  EXPECT_FALSE(shown_text().contains("Nothing differs"));
  set("rows", "differing");
  EXPECT_TRUE(shown_text().contains("Nothing differs")) << shown_text();
  set("b", "1");
  EXPECT_FALSE(shown_text().contains("Nothing differs"));
}

TEST_F(SeveralTraces, LongNamesOfTabsAreToldApart) {
  for (const char* end : {"a-tracks", "b-tracks", "c-tracks"}) {
    const auto file = folder_.path() /
                      (std::string("a-recording-of-the-whole-system-on-tuesday-") + end + ".json");
    std::ofstream(file) << R"([{"name":"x","ph":"X","pid":1,"tid":1,"ts":0,"dur":9}])";
    ASSERT_TRUE(host_->open(file));
  }
  (void)picture("tabs.png");
  for (const char* end : {"a-tracks.json<", "b-tracks.json<", "c-tracks.json<"})
    EXPECT_TRUE(shown_text().contains(end)) << end << shown_text();
}

TEST_F(SeveralTraces, TheEventDensitySaysWhoseEventsItCounts) {
  open_both();
  ASSERT_TRUE(run("trace.stack"));
  ASSERT_TRUE(run("panel.open", {{"panel", "density"}}));
  ASSERT_TRUE(host_->settle());
  const auto title = find_text("Event density<");
  ASSERT_TRUE(title);
  const std::string page = shown_text();
  const size_t from = page.find(">Event density<", page.find("y=\""));
  EXPECT_NE(page.find(">" + session().trace()->name() + "<", from), std::string::npos);
}

}  // namespace
}  // namespace weft::app
