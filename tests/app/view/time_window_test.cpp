#include "app/view/time_window.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace weft::app {
namespace {

constexpr TimeRange kTrace = {{1'000'000'000'000}, {1'000'060'000'000}};

TEST(TimeWindow, IsTheRangeItWasMadeFrom) {
  const TimeWindow window = TimeWindow::from_range(kTrace);
  EXPECT_EQ(window.range(), kTrace);
  EXPECT_EQ(window.time_from_fraction(0), kTrace.begin);
  EXPECT_DOUBLE_EQ(window.fraction_from_time(kTrace.end), 1);
}

TEST(TimeWindow, OfAllOfATraceHasMarginsAtBothEnds) {
  for (const TimeRange trace : {kTrace, TimeRange{{0}, {14}}, TimeRange{{-5}, {-4}}}) {
    const TimeWindow window = TimeWindow::all_of(trace);
    EXPECT_GE(window.fraction_from_time(trace.begin), 1.0 / 260);
    EXPECT_LE(window.fraction_from_time(trace.end), 1 - 1.0 / 260);
  }
}

TEST(TimeWindow, ZoomKeepsTheTimeUnderThePointer) {
  // Fixed to less than a pixel of 2000, from the whole trace to a few ticks and back.
  std::mt19937 random(1);
  std::uniform_real_distribution<double> place(0, 1);
  TimeWindow window = TimeWindow::from_range(kTrace);
  for (int i = 0; i < 400; ++i) {
    const double at = place(random);
    const Time under = window.time_from_fraction(at);
    const double before = window.fraction_from_time(under);
    const TimeWindow zoomed = window.zoomed(i % 100 < 60 ? 1.25 : 0.8, at);
    // A tick's own begin moves with the zoom by its distance from the pointer.
    const double moved = (before - at) * window.length / zoomed.length + at;
    EXPECT_NEAR(zoomed.fraction_from_time(under), moved, 1.0 / 2000) << i;
    window = zoomed;
  }
}

TEST(TimeWindow, PansByLessThanATick) {
  TimeWindow window = TimeWindow::from_range({{100}, {110}});
  for (int i = 0; i < 10; ++i) window = window.panned(0.25);
  EXPECT_EQ(window.begin.ticks, 102);
  EXPECT_DOUBLE_EQ(window.begin_fraction, 0.5);
  EXPECT_EQ(window.range(), (TimeRange{{102}, {113}}));
}

TEST(TimeWindow, WhatIsShorterThanAFewTicksStandsInTheMiddle) {
  EXPECT_EQ(TimeWindow::from_range({{100}, {101}}).range(), (TimeRange{{98}, {102}}));
  EXPECT_EQ(TimeWindow::from_range({{100}, {102}}).range(), (TimeRange{{99}, {103}}));
  EXPECT_EQ(TimeWindow::from_range({{100}, {104}}).range(), (TimeRange{{100}, {104}}));
}

TEST(TimeWindow, NeverLeavesTheTrace) {
  const TimeWindow whole = TimeWindow::from_range(kTrace);
  for (const double ticks : {-1e15, -1e12, 1e12, 1e15}) {
    const TimeWindow away = whole.zoomed(100, 0.5).panned(ticks).clamped(kTrace);
    const TimeRange range = away.range();
    EXPECT_LT(range.begin, kTrace.end);
    EXPECT_GT(range.end, kTrace.begin);
  }
}

TEST(TimeWindow, IsNeverShorterThanAFewTicksNorLongerThanTwiceTheTrace) {
  const TimeWindow whole = TimeWindow::from_range(kTrace);
  EXPECT_DOUBLE_EQ(whole.zoomed(1e30, 0.3).clamped(kTrace).length, TimeWindow::kMinTicks);
  EXPECT_DOUBLE_EQ(whole.zoomed(1e-30, 0.3).clamped(kTrace).length, 2 * whole.length);
}

TEST(TimeWindow, ZoomEndsWhereItMayGoNoFurtherAndThenNothingMoves) {
  const TimeWindow whole = TimeWindow::from_range(kTrace);
  for (const double factor : {0.8, 1.25}) {
    TimeWindow window = whole;
    for (int i = 0; i < 400; ++i) window = window.zoomed_within(kTrace, 8, factor, 0.7);
    EXPECT_DOUBLE_EQ(window.length, factor < 1 ? 2 * whole.length : 8);
    EXPECT_EQ(window, window.clamped(kTrace, 8));
    if (factor < 1) {
      EXPECT_NEAR(window.fraction_from_time(whole.time_from_fraction(0.7)), 0.7, 1e-3);
    }
    EXPECT_EQ(window.zoomed_within(kTrace, 8, factor, 0.2), window);
  }
}

TEST(TimeWindow, BearsTheLongestTraces) {
  const TimeRange all = {Time::min(), Time::max()};
  const TimeWindow window = TimeWindow::from_range(all).clamped(all);
  EXPECT_TRUE(std::isfinite(window.length));
  EXPECT_EQ(window.begin, Time::min());
  EXPECT_EQ(window.range(), all);
  EXPECT_EQ(window.time_from_fraction(0.75), Time{int64_t{1} << 62});
  EXPECT_EQ(window.panned(0x1p63).begin, Time{0});
  for (const double factor : {1e-6, 0.5, 2.0, 1e6}) {
    EXPECT_TRUE(std::isfinite(window.zoomed(factor, 0.7).clamped(all).length));
  }
}

TEST(TimeWindow, OnTheWayATimeAtOnePlaceInBothStaysThere) {
  const TimeWindow from = TimeWindow::from_range(kTrace);
  const TimeWindow to = from.zoomed(8, 0.25);
  const Time fixed = from.time_from_fraction(0.25);
  for (const double t : {0.1, 0.5, 0.9}) {
    EXPECT_NEAR(interpolate(from, to, t).fraction_from_time(fixed), 0.25, 1e-6);
  }
}

TEST(TimeWindow, WhatIsRevealedLeavesNoRoomBeyondTheTrace) {
  constexpr TimeRange kTicks = {{0}, {1000}};
  const auto revealed = [&](TimeRange from, TimeRange range) {
    return TimeWindow::from_range(from).revealing(range, kTicks).range();
  };
  EXPECT_EQ(revealed({{0}, {1000}}, {{0}, {10}}), (TimeRange{{0}, {1000}}));
  EXPECT_EQ(revealed({{500}, {600}}, {{5}, {10}}), (TimeRange{{0}, {100}}));
  EXPECT_EQ(revealed({{500}, {600}}, {{990}, {995}}), (TimeRange{{900}, {1000}}));
  EXPECT_EQ(revealed({{500}, {600}}, {{200}, {210}}), (TimeRange{{155}, {255}}));
  // One longer than the trace has room for all of it, and stays as it is if it shows it.
  EXPECT_EQ(TimeWindow::from_range({{-500}, {900}}).within(kTicks).range(),
            (TimeRange{{-400}, {1000}}));
  EXPECT_EQ(TimeWindow::from_range({{-100}, {1300}}).within(kTicks).range(),
            (TimeRange{{-100}, {1300}}));
}

// covers XC-28
TEST(TimeWindow, AnEventIsSeenWithAMarginAsFarAsTheTraceReaches) {
  constexpr TimeRange kTicks = {{0}, {1000}};
  const TimeWindow all = TimeWindow::from_range(kTicks);
  const auto zoomed = [&](TimeRange event) { return all.zoomed_to(event, kTicks).range(); };
  EXPECT_EQ(zoomed({{400}, {480}}), (TimeRange{{390}, {490}}));
  EXPECT_EQ(zoomed({{0}, {800}}), (TimeRange{{0}, {900}}));
  EXPECT_EQ(zoomed({{10}, {1000}}), kTicks);
  // Without length: ten times as close, again and again.
  EXPECT_EQ(zoomed({{500}, {500}}), (TimeRange{{450}, {550}}));
  EXPECT_EQ(zoomed({{1000}, {1000}}), (TimeRange{{950}, {1000}}));
  EXPECT_EQ(TimeWindow::around({{5}, {5}}, 0, kTicks).range(), (TimeRange{{3}, {7}}));
  EXPECT_EQ(TimeWindow::around({{300}, {700}}, 400, kTicks).range(), kTicks);
}

}  // namespace
}  // namespace weft::app
