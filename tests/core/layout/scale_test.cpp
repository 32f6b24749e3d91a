#include "core/layout/scale.h"

#include <gtest/gtest.h>

namespace weft::layout {
namespace {

TEST(Scale, ColumnsAreOneToTwoPixelsWide) {
  for (double ticks = 0.2; ticks < 1e15; ticks *= 1.37) {
    const TimeScale scale({Time{0}, Time{static_cast<int64_t>(ticks * 1000)}}, 1000);
    const double px = scale.px_from_duration(column_width(scale.level()));
    EXPECT_GE(px, 1.0) << ticks;
    if (scale.level() > 0) {
      EXPECT_LT(px, 2 * kMinVisiblePx + 1e-9) << ticks;
    }
  }
}

TEST(Scale, AColumnIsNeverSoNarrowThatRoundingLosesIt) {
  // Exactly one tick a pixel: columns of two ticks, not of one.
  const TimeScale scale({Time{0}, Time{1000}}, 1000);
  EXPECT_EQ(scale.level(), 1);
}

TEST(Scale, SingleTicksWhereTheyAreWide) {
  EXPECT_EQ(TimeScale({Time{0}, Time{100}}, 1000).level(), kSingleTicksLevel);
  EXPECT_EQ(TimeScale({Time{0}, Time{200}}, 1000).level(), 0);
}

TEST(Scale, TimesFarFromZeroStaySharp) {
  const int64_t origin = 9'000'000'000'000'000'000;
  const TimeScale scale({Time{origin}, Time{origin + 1000}}, 1000);
  EXPECT_DOUBLE_EQ(scale.x_from_time(Time{origin + 123}), 123);
  EXPECT_EQ(scale.time_from_x(123.5), Time{origin + 123});
}

TEST(Scale, ThereAndBack) {
  const TimeScale scale({Time{-500}, Time{123'456}}, 777);
  for (double x = 0; x < 777; x += 13.7) {
    EXPECT_NEAR(scale.x_from_time(scale.time_from_x(x)), x, 1 / scale.ticks_per_px() + 1e-9);
  }
}

TEST(Scale, DegenerateViewsHaveAScale) {
  EXPECT_EQ(TimeScale({Time{5}, Time{5}}, 0).view().length(), Duration{1});
  EXPECT_GT(TimeScale({Time{9}, Time{5}}, 100).ticks_per_px(), 0);
  const TimeScale all({Time::min(), Time::max()}, 1920);
  EXPECT_LE(all.level(), kMaxLevel);
  EXPECT_NEAR(all.x_from_time(Time::max()), 1920, 1e-6);
  EXPECT_NEAR(all.x_from_time(Time{0}), 960, 1e-6);
  EXPECT_NEAR(static_cast<double>(all.time_from_x(1440).ticks), 0x1p62, 1e4);
}

TEST(Scale, ColumnsOfNegativeTimesRoundDown) {
  EXPECT_EQ(column_of(Time{-1}, 4), -1);
  EXPECT_EQ(column_of(Time{0}, 4), 0);
  EXPECT_EQ(time_of_column(-1, 4), Time{-16});
}

// covers FS-25, C-30
TEST(Scale, ACutHasNoWidth) {
  const auto cuts = std::make_shared<const TimeCuts>(
      std::vector<TimeRange>{{{100}, {1'100}}, {{1'200}, {9'200}}});
  const TimeScale scale({Time{0}, Time{9'300}}, 300, cuts);  // 1 tick a px
  EXPECT_DOUBLE_EQ(scale.ticks_per_px(), 1);
  EXPECT_DOUBLE_EQ(scale.x_from_time(Time{50}), 50);
  EXPECT_DOUBLE_EQ(scale.x_from_time(Time{600}), 100);
  EXPECT_DOUBLE_EQ(scale.x_from_time(Time{1'100}), 100);
  EXPECT_DOUBLE_EQ(scale.x_from_time(Time{9'250}), 250);
  EXPECT_EQ(scale.time_from_x(150.5), Time{1'150});
  EXPECT_EQ(scale.time_from_x(100), Time{1'100});
  const auto segments = scale.segments();
  ASSERT_EQ(segments.size(), 3u);
  EXPECT_EQ(segments[1].range, (TimeRange{{1'100}, {1'200}}));
  EXPECT_DOUBLE_EQ(segments[1].x0, 100);
  EXPECT_DOUBLE_EQ(segments[1].x1, 200);
}

}  // namespace
}  // namespace weft::layout
