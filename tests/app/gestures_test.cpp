// The mouse on the panels, offscreen: what a gesture does to the view.
#include <gtest/gtest.h>

#include "app/host_offscreen.h"
#include "app/panels/histogram.h"
#include "core/query/density.h"
#include "tests/app/sample_trace.h"

namespace weft::app {
namespace {

constexpr int kWidth = 1240;
constexpr int kHeight = 700;
constexpr float kGutter = 240;
constexpr float kAxis = kWidth - kGutter;

class Gestures : public ::testing::Test {
 protected:
  void SetUp() override {
    OffscreenHost::Options options;
    options.width = kWidth;
    options.height = kHeight;
    auto host = OffscreenHost::create(options);
    if (!host) GTEST_SKIP() << host.error().message;
    host_ = std::move(*host);
    ASSERT_TRUE(host_->open(testing::write_sample(folder_.path())));
  }
  void show(const std::string& panel) {
    host_->workbench().show_only(panel);
    ASSERT_TRUE(host_->settle());
  }
  void at(float x, float y, bool is_down = false, float wheel = 0) {
    Pointer pointer;
    pointer.x = x;
    pointer.y = y;
    pointer.is_down = is_down;
    pointer.wheel = wheel;
    host_->frame({}, pointer);
  }
  void drag(float x0, float y0, float x1, float y1) {
    at(x0, y0);
    at(x0, y0, true);
    for (int i = 1; i <= 5; ++i) {
      const float t = static_cast<float>(i) / 5;
      at(x0 + t * (x1 - x0), y0 + t * (y1 - y0), true);
    }
    at(x1, y1);
    at(x1, y1);
  }
  const OpenTrace& trace() const { return *host_->workbench().session().trace(); }
  const TimeWindow& window() const { return trace().view().window; }
  double x_of(Time t) const { return kGutter + window().fraction_from_time(t) * kAxis; }

  testing::TemporaryFolder folder_;
  std::unique_ptr<OffscreenHost> host_;
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
  EXPECT_EQ(trace().collapsed.size(), 1u);
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

// covers FS-09
TEST_F(Gestures, DensityDragToTheRightZoomsAndToTheLeftReturns) {
  show("density");
  const TimeWindow whole = window();
  drag(kGutter + 200, 100, kGutter + 400, 100);
  EXPECT_NEAR(window().length, whole.length * 0.2, whole.length / kAxis * 2);
  EXPECT_NEAR(static_cast<double>(window().begin.ticks), whole.length * 0.2,
              whole.length / kAxis * 2);
  drag(kGutter + 400, 100, kGutter + 300, 100);
  EXPECT_EQ(window(), whole);
}

// covers FS-08
TEST_F(Gestures, DensityBinsSumToTheEvents) {
  ThreadPool pool(1);
  const uint64_t all = trace().trace()->counts().total();
  for (const uint32_t bins : {1u, 7u, 250u, 1000u}) {
    EXPECT_EQ(make_histogram({trace().trace(), trace().range(), bins}, pool).total, all);
  }
}

TEST_F(Gestures, OverviewHandlesChangeTheWindow) {
  show("overview");
  ASSERT_TRUE(host_->workbench().run({"view.set", {{"from", 20'000}, {"to", 60'000}}}));
  ASSERT_TRUE(host_->settle());
  const double whole = static_cast<double>(trace().range().length().ticks);
  const auto x = [&](double ticks) { return static_cast<float>(kGutter + ticks / whole * kAxis); };
  const double px = whole / kAxis;
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

TEST_F(Gestures, HoveringTellsTheTime) {
  for (const std::string panel : {"gantt", "density", "overview"}) {
    show(panel);
    at(kGutter + kAxis / 2, 40);
    const auto hover = host_->workbench().session().hover;
    ASSERT_TRUE(hover) << panel;
    EXPECT_NEAR(static_cast<double>(hover->ticks), window().length / 2, window().length / kAxis * 2)
        << panel;
  }
}

}  // namespace
}  // namespace weft::app
