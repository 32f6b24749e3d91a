// The mouse on the panels, offscreen: what a gesture does to the view.
#include <gtest/gtest.h>

#include "app/panels/timeline/histogram.h"
#include "app/panels/timeline/time_axis.h"
#include "core/query/density.h"
#include "tests/app/offscreen_test.h"

namespace weft::app {
namespace {

constexpr int kWidth = 1240;
constexpr int kHeight = 700;
constexpr float kGutter = 240;
constexpr float kAxis = kWidth - kGutter;

class Gestures : public testing::OffscreenTest {
 protected:
  void SetUp() override {
    start(sized(kWidth, kHeight));
    if (!host_) return;
    ASSERT_TRUE(host_->open(testing::write_sample(folder_.path())));
  }
  void show(const std::string& panel) {
    host_->workbench().show_only(panel);
    ASSERT_TRUE(host_->settle());
  }
  const OpenTrace& trace() const { return *host_->workbench().session().trace(); }
  const TimeWindow& window() const { return trace().view().window; }
  double x_of(Time t) const { return kGutter + window().fraction_from_time(t) * kAxis; }
};

TEST_F(Gestures, WheelKeepsTheTimeUnderThePointer) {
  show("gantt");
  for (const float x : {300.0F, 700.0F, 1200.0F}) {
    for (int i = 0; i < 6; ++i) {
      const Time under = window().time_from_fraction((x - kGutter) / kAxis);
      const double before = x_of(under);
      const double length = window().length;
      at(x, 300, false, i < 4 ? 1 : -1);
      at(x, 300);
      ASSERT_NE(window().length, length);
      // The tick's begin is left of the pointer by less than a tick, which zooms, too.
      const double tick_px = kAxis / window().length;
      EXPECT_NEAR(x_of(under), before, 1 + tick_px) << x << " " << i;
    }
  }
}

TEST_F(Gestures, DragMovesTheViewWithThePointer) {
  show("gantt");
  ASSERT_TRUE(host_->workbench().run({"view.set", {{"from", 40'000}, {"to", 50'000}}}));
  ASSERT_TRUE(host_->settle());
  drag(600, 300, 700, 300);
  EXPECT_NEAR(static_cast<double>(window().begin.ticks), 39'000, 2);
  EXPECT_DOUBLE_EQ(window().length, 10'000);
}

TEST_F(Gestures, DragOnTheRulerSelects) {
  show("gantt");
  drag(340, 10, 440, 10);
  ASSERT_TRUE(trace().selection);
  const double length = static_cast<double>(trace().selection->length().ticks);
  EXPECT_NEAR(length, 100 * window().length / kAxis, window().length / kAxis + 1);
  at(500, 10, true);
  at(500, 10);
  EXPECT_FALSE(trace().selection);
}

TEST_F(Gestures, ClickOnAFoldMarkFoldsTheLane) {
  show("gantt");
  at(12, 36);
  at(12, 36, true);
  at(12, 36);
  EXPECT_EQ(trace().collapsed().size(), 1u);
}

TEST_F(Gestures, DoubleClickZoomsToTheElement) {
  show("gantt");
  // The first state of the first thread: 1000 to 3000, in the row below the process' header.
  ASSERT_TRUE(host_->workbench().run({"view.set", {{"from", 0}, {"to", 10'000}}}));
  ASSERT_TRUE(host_->settle());
  const float x = kGutter + kAxis * 0.27F;
  const float y = 26 + 22 + 4 + 8;
  for (int i = 0; i < 2; ++i) {
    at(x, y, true);
    at(x, y);
  }
  EXPECT_NEAR(window().length, 2'500, 1);
  EXPECT_LT(window().begin.ticks, 1'000);
}

// covers FS-58
TEST_F(Gestures, DoubleClickOnARowOfTheEventTableShowsItsLane) {
  show("events");
  const double before = window().length;
  for (int i = 0; i < 2; ++i) {
    at(300, 100, true);
    at(300, 100);
  }
  ASSERT_TRUE(trace().element());
  EXPECT_LT(window().length, before);
  EXPECT_EQ(host_->workbench().session().journal.back().command, "element.reveal");
}

// covers B-09: one row after the other is shown at the same zoom, and nothing beyond the trace.
TEST_F(Gestures, RowsOfTheEventTableAreShownAtOneZoom) {
  show("events");
  const auto open = [&](float y) {
    for (int i = 0; i < 2; ++i) {
      at(300, y, true);
      at(300, y);
    }
    ASSERT_TRUE(host_->settle());
    EXPECT_GE(window().range().begin, trace().reach().begin);
    EXPECT_LE(window().range().end, trace().reach().end);
  };
  ASSERT_TRUE(host_->workbench().run({"filter.set", {{"text", "category == punctual"}}}));
  ASSERT_TRUE(host_->settle());
  const double all = window().length;
  open(100);
  const double once = window().length;
  EXPECT_LT(once, all / 50);
  open(142);
  EXPECT_NEAR(window().length, once, once / 2 + 1);  // half of it where the trace begins
}

// A click selects the element that the tooltip describes.
TEST_F(Gestures, ClickSelectsTheElementUnderThePointer) {
  show("gantt");
  ASSERT_TRUE(host_->workbench().run({"view.set", {{"from", 0}, {"to", 10'000}}}));
  ASSERT_TRUE(host_->settle());
  const float x = kGutter + kAxis * 0.27F;
  const float y = 26 + 22 + 4 + 8;
  at(x, y, true);
  at(x, y);
  ASSERT_TRUE(trace().element());
  EXPECT_EQ(trace().element()->kind, store::RowKind::kState);
  EXPECT_EQ(trace().element()->begin.ticks, 1'000);
  EXPECT_EQ(trace().element()->which, 0u);
  ASSERT_TRUE(host_->settle());
  drag(x, y, x + 50, y);  // moves the view, selects nothing else
  EXPECT_EQ(trace().element()->begin.ticks, 1'000);
  at(kGutter + 10, kHeight - 20, true);
  at(kGutter + 10, kHeight - 20);
  EXPECT_FALSE(trace().element());
}

// covers B-09, XC-28
TEST_F(Gestures, StepsFindOtherElementsAndShowThem) {
  show("gantt");
  const auto run = [&](const char* name, Json args = Json::object()) {
    ASSERT_TRUE(host_->workbench().run({name, std::move(args)}));
    ASSERT_TRUE(host_->settle());
  };
  run("view.set", {{"from", 0}, {"to", 4'000}});
  run("element.select", {{"lane", 1}, {"kind", "state"}, {"type", 0}, {"depth", 0}, {"at", 1'000}});
  const auto now = [&] { return trace().element().value_or(query::ElementRef{}); };
  run("element.child");
  EXPECT_EQ(now().begin.ticks, 1'200);
  EXPECT_EQ(now().which, 1u);
  run("element.parent");
  EXPECT_EQ(now().begin.ticks, 1'000);
  for (int i = 0; i < 4; ++i) run("element.next");
  EXPECT_EQ(now().begin.ticks, 1'000 + 4 * 2'400);
  EXPECT_EQ(now().type.value(), 0u);
  EXPECT_TRUE(window().range().contains(now().begin));
  run("element.previous_of_type");
  EXPECT_EQ(now().type.value(), 0u);
  EXPECT_LT(now().begin.ticks, 1'000 + 4 * 2'400);
  run("element.select", {{"lane", 1}, {"kind", "state"}, {"type", 0}, {"depth", 0}, {"at", 1'000}});
  run("element.along_link");
  EXPECT_EQ(now().lane.value(), 5u);  // the last thread, at 2900
  run("element.back_along_link");
  EXPECT_EQ(now().lane.value(), 1u);
  run("element.previous");
  run("element.previous");
  EXPECT_FALSE(host_->workbench().session().messages.last.text.empty());  // there is none before
}

// covers B-06: cursors snap to the edges that are drawn
TEST_F(Gestures, AltClickSetsTheCursorsAtEdges) {
  show("gantt");
  ASSERT_TRUE(host_->workbench().run({"view.set", {{"from", 0}, {"to", 10'000}}}));
  ASSERT_TRUE(host_->settle());
  const float y = 26 + 22 + 4 + 8;
  const auto alt_click = [&](float x, bool shift) {
    Pointer pointer;
    pointer.x = x;
    pointer.y = y;
    pointer.alt = true;
    pointer.shift = shift;
    for (const bool is_down : {false, true, false}) {
      pointer.is_down = is_down;
      host_->frame({}, pointer);
    }
  };
  alt_click(kGutter + kAxis * 0.1F + 4, false);  // near the begin at 1000
  alt_click(kGutter + kAxis * 0.3F - 3, true);   // near the end at 3000
  EXPECT_EQ(trace().markers.a(), Time{1'000});
  EXPECT_EQ(trace().markers.b(), Time{3'000});
  alt_click(kGutter + kAxis * 0.2F, true);  // no edge of this row is near
  EXPECT_NEAR(static_cast<double>(trace().markers.b()->ticks), 2'000, 11);
  EXPECT_FALSE(trace().element());
  at(kGutter + kAxis * 0.1F, 10);
  drag(kGutter + kAxis * 0.1F, 10, kGutter + kAxis * 0.6F, 10);  // its letter in the ruler
  EXPECT_GT(trace().markers.a()->ticks, 5'800);
  EXPECT_FALSE(trace().selection);
}

// Text typed after it is the name: no letter runs a command.
TEST_F(Gestures, ADoubleClickOnAFlagNamesItsMarker) {
  ASSERT_TRUE(run("marker.add", {{"at", 20'000}}));
  ASSERT_TRUE(host_->settle());
  const auto x = static_cast<float>(x_of(Time{20'000}));
  const float y = find_text("Filter lanes")->y;  // beside the ruler
  for (int i = 0; i < 3; ++i) at(x, y);
  EXPECT_TRUE(find_text("double-click to name it"));
  click(x, y);
  click(x, y);
  EXPECT_TRUE(session().desk.layout.first_of("markers"));
  const TimeWindow before = window();
  type("slow w");
  key(ImGuiKey_Enter);
  EXPECT_EQ(trace().markers.all().front().name, "slow w");
  EXPECT_EQ(window(), before);
  (void)picture("marker-named.png");
  // Only once: the panel's own click shows a marker, and leaves the keys to the view.
  EXPECT_EQ(session().orders.edited_marker, 0u);
}

// covers C-17: where rows are too low for names, one points at them
TEST_F(Gestures, ALaneThatIsTooLowForItsNameTellsItWhereOnePoints) {
  show("gantt");
  ASSERT_TRUE(host_->workbench().run({"row_height", {{"px", 3}}}));
  ASSERT_TRUE(host_->workbench().run({"lane.levels", {{"count", 1}}}));
  ASSERT_TRUE(host_->settle());
  const auto says = [&](const char* name) { return testing::find_text(*host_, name).has_value(); };
  ASSERT_FALSE(says("thread 1"));
  bool is_told = false;
  for (float y = 24; y < 80 && !is_told; y += 1) {
    at(120, y);
    at(120, y);
    is_told = says("process 0/thread 1");
  }
  EXPECT_TRUE(is_told);
}

// covers FS-23, B-01
TEST_F(Gestures, ModesAndModifiersSayWhatADragDoes) {
  show("gantt");
  const auto reset = [&] { ASSERT_TRUE(host_->workbench().run({"view.fit"})); };
  const auto mode = [&](const char* name) {
    ASSERT_TRUE(host_->workbench().run({"mouse.mode", {{"mode", name}}}));
  };
  const double whole = window().length;
  mode("zoom_in");
  drag(kGutter + 200, 300, kGutter + 400, 300);
  EXPECT_NEAR(window().length, whole * 0.2, whole / kAxis * 2);
  mode("zoom_out");
  drag(kGutter + 250, 300, kGutter + 750, 300);
  EXPECT_NEAR(window().length, whole * 0.4, whole / kAxis * 4);
  reset();
  mode("select");
  drag(kGutter + 100, 60, kGutter + 300, 100);
  ASSERT_TRUE(trace().selection);
  EXPECT_FALSE(trace().selected_lanes.empty());
  EXPECT_EQ(window().length, whole);
  mode("higher");
  const double before = host_->workbench().session().look.row_height_px;
  at(kGutter + 300, 300, true);
  at(kGutter + 300, 300);
  EXPECT_GT(host_->workbench().session().look.row_height_px, before);
  mode("drag");
  Pointer right;
  right.y = 300;
  for (const auto& [x, is_down] : {std::pair(300.0F, false), std::pair(300.0F, true),
                                   std::pair(400.0F, true), std::pair(400.0F, false)}) {
    right.x = kGutter + x;
    right.is_right_down = is_down;
    host_->frame({}, right);
  }
  EXPECT_NEAR(window().length, whole * 0.1, whole / kAxis * 2);
}

// covers XC-28
TEST_F(Gestures, WheelAndButtonsDoAsInOtherViewers) {
  show("gantt");
  ASSERT_TRUE(host_->workbench().run({"view.set", {{"from", 40'000}, {"to", 50'000}}}));
  const auto turn = [&](bool control, bool shift) {
    Pointer pointer{.x = 740, .y = 300, .wheel = 1, .shift = shift, .control = control};
    host_->frame({}, pointer);
    pointer.wheel = 0;
    host_->frame({}, pointer);
  };
  const TimeWindow first = window();
  const double row_px = host_->workbench().session().look.row_height_px;
  turn(/*control=*/true, /*shift=*/false);
  EXPECT_LT(window().length, first.length);
  const TimeWindow zoomed = window();
  turn(false, true);
  EXPECT_EQ(window().length, zoomed.length);
  EXPECT_LT(window().begin, zoomed.begin);
  EXPECT_EQ(host_->workbench().session().look.row_height_px, row_px);
  const TimeWindow panned = window();
  turn(true, true);
  EXPECT_EQ(window(), panned);
  EXPECT_GT(host_->workbench().session().look.row_height_px, row_px);

  // With Ctrl or the middle button a drag moves the view, whatever the left button does.
  ASSERT_TRUE(host_->workbench().run({"mouse.mode", {{"mode", "select"}}}));
  for (const bool is_middle : {true, false}) {
    ASSERT_TRUE(host_->workbench().run({"view.set", {{"from", 40'000}, {"to", 50'000}}}));
    ASSERT_TRUE(host_->settle());
    for (int i = 0; i <= 6; ++i) {
      Pointer pointer{.x = 600 + 20 * static_cast<float>(std::min(i, 5)), .y = 300};
      const bool is_down = i > 0 && i < 6;
      (is_middle ? pointer.is_middle_down : pointer.is_down) = is_down;
      pointer.control = !is_middle;
      host_->frame({}, pointer);
    }
    EXPECT_NEAR(static_cast<double>(window().begin.ticks), 39'200, 2) << is_middle;
    EXPECT_FALSE(trace().selection);
  }
  for (int i = 0; i < 2; ++i) {
    at(700, 10, true);
    at(700, 10);
  }
  EXPECT_TRUE(trace().shows_all());
}

// covers FS-09
TEST_F(Gestures, DensityDragToTheRightZoomsAndToTheLeftReturns) {
  show("density");
  const TimeWindow whole = window();
  drag(kGutter + 200, 100, kGutter + 400, 100);
  EXPECT_NEAR(window().length, whole.length * 0.2, whole.length / kAxis * 2);
  EXPECT_NEAR(whole.fraction_from_time(window().begin), 0.2, 2 / kAxis);
  drag(kGutter + 400, 100, kGutter + 300, 100);
  EXPECT_EQ(window(), whole);
}

// covers FS-08
TEST_F(Gestures, DensityBinsSumToTheEvents) {
  ThreadPool pool(1);
  const uint64_t all = trace().trace()->counts().total();
  for (const uint32_t bins : {1u, 7u, 250u, 1000u}) {
    const HistogramKey key = {trace().trace(), trace().range(), bins};
    EXPECT_EQ(make_histogram(key, pool)->total, all);
    std::stop_source stopped;
    stopped.request_stop();
    EXPECT_FALSE(make_histogram(key, {pool, stopped.get_token()}));
  }
}

TEST(HistogramBars, ABinOfWhichLessThanAPixelIsInSightIsDrawn) {
  Histogram histogram;
  histogram.range = {Time{0}, Time{200'000}};
  histogram.bins = {1, 1};
  histogram.most = 1;
  const auto bars_of = [&](TimeRange window) {
    render::DrawBatch batch;
    append_bars(histogram, {TimeWindow::from_range(window), 10, 110}, 50, 40, DensityScale::kLinear,
                {}, batch);
    return batch.boxes;
  };
  const auto first = bars_of({Time{99'990}, Time{200'000}});
  ASSERT_EQ(first.size(), 2u);
  EXPECT_GE(first[0].x1, 1);
  const auto last = bars_of({Time{0}, Time{100'010}});
  ASSERT_EQ(last.size(), 2u);
  EXPECT_LE(last[1].x0, 99);
  EXPECT_EQ(bars_of({Time{100'000}, Time{200'000}}).size(), 1u);
}

TEST(HistogramBars, AFewThatPassAreNoLineAtTheBottom) {
  Histogram histogram;
  histogram.range = {Time{0}, Time{200'000}};
  histogram.bins = {1000, 5};
  histogram.most = 1000;
  histogram.hits = {10, 5};
  histogram.most_hits = 10;
  EXPECT_EQ(histogram.highest(DensityScale::kLinear), 10u);
  EXPECT_EQ(histogram.highest(DensityScale::kLogarithmic), 1000u) << "they are seen there";
  render::DrawBatch batch;
  append_bars(histogram, {TimeWindow::from_range(histogram.range), 10, 110}, 50, 40,
              DensityScale::kLinear, {}, batch);
  ASSERT_EQ(batch.boxes.size(), 4u);
  EXPECT_EQ(batch.boxes[0].y0, 10) << "cut at the top";
  EXPECT_EQ(batch.boxes[1].y0, 10) << "of the first bin, what passes";
  EXPECT_EQ(batch.boxes[3].y0, 30);
  histogram.most_hits = 200;
  EXPECT_EQ(histogram.highest(DensityScale::kLinear), 1000u);
}

// covers FS-10
TEST_F(Gestures, DensityHoverTellsTheMiddleOfABinAndItsEvents) {
  ThreadPool pool(1);
  for (const uint32_t bins : {1u, 7u, 250u}) {
    const Histogram histogram = *make_histogram({trace().trace(), trace().range(), bins}, pool);
    uint64_t told = 0;
    for (uint32_t bin = 0; bin < bins; ++bin) {
      const TimeRange range = histogram.range_of(bin);
      for (const Time time : {range.begin, histogram.middle_of(bin), range.end - Duration{1}}) {
        EXPECT_EQ(histogram.bin_at(time), bin);
      }
      EXPECT_LE(std::abs((histogram.middle_of(bin) - range.begin).ticks -
                         (range.end - histogram.middle_of(bin)).ticks),
                1);
      const Histogram alone = *make_histogram({trace().trace(), range, 1}, pool);
      EXPECT_EQ(histogram.bins[bin], alone.total);
      told += histogram.bins[bin];
    }
    EXPECT_EQ(told, trace().trace()->counts().total());
  }
  // And it is told where the pointer is.
  show("density");
  const render::Image before = host_->picture();
  at(kGutter + kAxis / 2, 40);
  at(kGutter + kAxis / 2, 40);
  EXPECT_NE(host_->picture().pixels, before.pixels);
}

// covers FS-19, FS-27
TEST_F(Gestures, OverviewHandlesChangeTheWindow) {
  show("overview");
  ASSERT_TRUE(host_->workbench().run({"view.set", {{"from", 20'000}, {"to", 60'000}}}));
  ASSERT_TRUE(host_->settle());
  const TimeWindow whole = trace().whole();
  const auto x = [&](int64_t ticks) {
    return static_cast<float>(kGutter + whole.fraction_from_time({ticks}) * kAxis);
  };
  const double px = whole.length / kAxis;
  drag(x(20'000), 30, x(30'000), 30);  // the left handle
  EXPECT_NEAR(static_cast<double>(window().begin.ticks), 30'000, 2 * px);
  EXPECT_NEAR(window().length, 30'000, 2 * px);
  drag(x(60'000), 30, x(50'000), 30);  // the right one
  EXPECT_NEAR(window().length, 20'000, 2 * px);
  drag(x(40'000), 30, x(45'000), 30);  // the window
  EXPECT_NEAR(static_cast<double>(window().begin.ticks), 35'000, 2 * px);
  at(x(80'000), 30);
  at(x(80'000), 30, true);  // a click elsewhere centres
  at(x(80'000), 30);
  at(x(80'000), 30);
  EXPECT_NEAR(static_cast<double>(window().begin.ticks), 70'000, 2 * px);
}

TEST_F(Gestures, AClickWithinTheWindowOfTheOverviewMovesNothing) {
  show("overview");
  const auto step = [&] { return trace().history().views().steps.undo_number(); };
  for (const Json& part : {Json({{"from", 20'000}, {"to", 60'000}}), Json()}) {
    ASSERT_TRUE(
        host_->workbench().run(part.is_null() ? Command{"view.fit"} : Command{"view.set", part}));
    ASSERT_TRUE(host_->settle());
    const TimeWindow before = window();
    const auto undo = step();
    click(kGutter + kAxis * 0.45F, 30);
    EXPECT_EQ(window(), before);
    EXPECT_EQ(step(), undo);
  }
}

// If the whole trace is shown, the handles lie at the edges, the left one beside that of the lanes'
// names.
TEST_F(Gestures, OverviewHandlesAreWithinReachOfTheWholeTrace) {
  for (const float from : {kGutter + 1, kGutter + 4}) {
    show("overview");
    ASSERT_TRUE(host_->workbench().run({"view.fit"}));
    ASSERT_TRUE(host_->settle());
    const double whole = window().length;
    drag(from, 30, from + kAxis / 4, 30);
    EXPECT_NEAR(window().length, whole * 3 / 4, whole / 50) << from;
  }
  EXPECT_EQ(host_->workbench().session().look.gutter_px, kGutter);
}

TEST_F(Gestures, ASampleOfAVariableIsToldAndSelected) {
  show("gantt");
  ASSERT_TRUE(host_->workbench().run({"view.set", {{"from", 0}, {"to", 10'000}}}));
  ASSERT_TRUE(host_->workbench().run({"lane.show_only", {{"lane", 2}}}));
  ASSERT_TRUE(host_->settle());
  // Its row lies below the states and instants of the second thread.
  for (float y = 60; y < 180 && !trace().element(); y += 7) {
    at(kGutter + kAxis * 0.27F, y);
    at(kGutter + kAxis * 0.27F, y, true);
    at(kGutter + kAxis * 0.27F, y);
    if (trace().element() && trace().element()->kind != store::RowKind::kVariable) {
      ASSERT_TRUE(host_->workbench().run({"element.clear"}));
    }
  }
  ASSERT_TRUE(trace().element());
  EXPECT_EQ(trace().trace()->dictionary().type(trace().element()->type).name, "memory");
}

TEST_F(Gestures, HoveringTellsTheTime) {
  for (const std::string panel : {"gantt", "density", "overview"}) {
    show(panel);
    at(kGutter + kAxis / 2, 40);
    const auto hover = host_->workbench().session().hover;
    ASSERT_TRUE(hover) << panel;
    EXPECT_NEAR(window().fraction_from_time(hover->time), 0.5, 2 / kAxis) << panel;
  }
}

// covers B-02, FS-25, C-30
TEST_F(Gestures, CutTimeIsSkippedAndComesBack) {
  show("gantt");
  const render::Image before = host_->picture();
  const TimeWindow whole = window();
  // The sample's threads are busy 2 000 of 2 400 ns, staggered: fold all but one.
  Workbench& workbench = host_->workbench();
  ASSERT_TRUE(workbench.run({"lane.show_only", {{"lane", 3}}}));
  ASSERT_TRUE(workbench.run({"lane.hide", {{"lane", 5}}}));
  ASSERT_TRUE(workbench.run({"view.compress", {{"on", true}, {"longer_than", 100}}}));
  ASSERT_TRUE(host_->settle());
  const FoldedTime time = trace().folded_time();
  ASSERT_TRUE(time.cuts());
  EXPECT_GT(time.cuts()->cuts().size(), 20u);
  EXPECT_TRUE(trace().shows_all());  // in the trace's own time
  EXPECT_LT(time.fold(window()).length, whole.length * 0.95);
  // The pointer is where the axis says, and the wheel keeps the time under it.
  const TimeAxis axis(window(), kGutter, kWidth, time);
  at(700, 300);
  ASSERT_TRUE(host_->workbench().session().hover);
  EXPECT_EQ(host_->workbench().session().hover->time, axis.time_from_x(700));
  const Time under = axis.time_from_x(700);
  for (int i = 0; i < 8; ++i) {
    at(700, 300, false, 1);
    at(700, 300);
  }
  const TimeAxis closer(window(), kGutter, kWidth, trace().folded_time());
  EXPECT_LT(closer.ticks_per_px(), axis.ticks_per_px() / 4);
  EXPECT_NEAR(closer.x_from_time(under), 700, 1 + 2 / closer.ticks_per_px());
  // A drag moves what is seen by as many pixels.
  const Time grabbed = closer.time_from_x(600);
  drag(600, 300, 680, 300);
  const TimeAxis moved(window(), kGutter, kWidth, trace().folded_time());
  EXPECT_NEAR(moved.x_from_time(grabbed), 680, 1 + 2 / moved.ticks_per_px());
  // Cutting is a step like the others.
  while (undo()) continue;
  ASSERT_TRUE(host_->settle());
  EXPECT_FALSE(trace().folded_time().cuts());
  at(-100, -100);
  ASSERT_TRUE(host_->settle());
  EXPECT_EQ(host_->picture().pixels, before.pixels);
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(workbench.run({"view.redo"}));
  EXPECT_EQ(trace().cut_from(), Duration{100});
}

TEST_F(Gestures, AClickUnderCutsSelectsWhatIsDrawn) {
  show("gantt");
  Workbench& workbench = host_->workbench();
  ASSERT_TRUE(workbench.run({"lane.show_only", {{"lane", 3}}}));
  ASSERT_TRUE(workbench.run({"lane.hide", {{"lane", 5}}}));
  ASSERT_TRUE(workbench.run({"view.set", {{"from", 30'000}, {"to", 60'000}}}));
  ASSERT_TRUE(workbench.run({"view.compress", {{"on", true}, {"longer_than", 100}}}));
  ASSERT_TRUE(host_->settle());
  const TimeAxis axis(window(), kGutter, kWidth, trace().folded_time());
  // Thread 4 is seed 2: its 20th state begins at 1 000 + 20 * 2 400 + 260.
  const Time begin{49'260};
  const auto x = static_cast<float>(axis.x_from_time(begin + Duration{1'500}));
  at(x, 26 + 22 + 13);
  at(x, 26 + 22 + 13, true);
  at(x, 26 + 22 + 13);
  host_->frame();
  ASSERT_TRUE(trace().element());
  EXPECT_EQ(trace().element()->begin, begin);
}

}  // namespace
}  // namespace weft::app
