#include "app/view/time_line.h"

#include <gtest/gtest.h>

#include <random>

namespace weft::app {
namespace {

constexpr OnLine kNs = {TimeBase::kNanoseconds, {}};
constexpr OnLine kUs = {TimeBase::kMicroseconds, {}};

TEST(TimeLine, ATimeLiesAtTheSamePlaceInAnotherBase) {
  EXPECT_EQ(on_line(Time{3'500}, kNs, kUs), Time{3});
  EXPECT_EQ(on_line(Time{-1}, kNs, kUs), Time{-1});  // downwards, not to zero
  EXPECT_EQ(on_line(Time{3}, kUs, kNs), Time{3'000});
  EXPECT_EQ(on_line(TimeRange{{1'500}, {2'001}}, kNs, kUs), (TimeRange{{1}, {3}}));
}

TEST(TimeLine, OffsetsAreInTicksOfTheirTrace) {
  const OnLine later = {TimeBase::kMicroseconds, {10}};
  EXPECT_EQ(on_line(Time{0}, later, kNs), Time{10'000});
  EXPECT_EQ(on_line(Time{10'000}, kNs, later), Time{0});
}

TEST(TimeLine, ClocksFarApartMeetExactly) {
  constexpr int64_t kNow = 1'700'000'000'123'456'789;
  const OnLine far = {TimeBase::kNanoseconds, {-kNow}};
  EXPECT_EQ(on_line(Time{kNow + 5}, far, kNs), Time{5});
  EXPECT_EQ(on_line(Time{5}, kNs, far), Time{kNow + 5});
  EXPECT_EQ(on_line(Time::max(), {TimeBase::kSeconds, {}}, kNs), Time::max());
}

TEST(TimeLine, AWindowKeepsTheFractionOfATick) {
  TimeWindow window;
  window.begin = {1'250};
  window.length = 100'000;
  const TimeWindow coarse = on_line(window, kNs, kUs);
  EXPECT_EQ(coarse.begin, Time{1});
  EXPECT_DOUBLE_EQ(coarse.begin_fraction, 0.25);
  EXPECT_DOUBLE_EQ(coarse.length, 100);
  EXPECT_EQ(on_line(coarse, kUs, kNs), window);
}

TEST(TimeLine, AWindowShowsTheSamePlaceWhateverTheTrace) {
  std::mt19937_64 random(7);
  for (int i = 0; i < 1'000; ++i) {
    const OnLine from = {TimeBase::kNanoseconds, {static_cast<int64_t>(random() % 1'000'000)}};
    const OnLine to = {TimeBase::kMicroseconds, {static_cast<int64_t>(random() % 1'000'000)}};
    TimeWindow window;
    window.begin = {static_cast<int64_t>(random() % 1'000'000'000)};
    window.length = 4'000 + static_cast<double>(random() % 1'000'000);
    const TimeWindow moved = on_line(window, from, to);
    const Time middle = window.time_from_fraction(0.5);
    const double at = moved.fraction_from_time(on_line(middle, from, to));
    EXPECT_NEAR(at, 0.5, 1.01 / moved.length);
  }
}

// covers C-11
TEST(TimeLine, AClockThatIsSlowIsStretchedThenMoved) {
  // While it counts 999 ms, a second passes.
  const OnLine slow = {TimeBase::kMilliseconds, {5}, {1'000, 999}};
  EXPECT_EQ(on_line(Time{0}, slow, kNs), Time{5'000'000});
  EXPECT_EQ(on_line(Time{999}, slow, kNs), Time{1'005'000'000});
  EXPECT_EQ(on_line(Time{1'005'000'000}, kNs, slow), Time{999});
  EXPECT_EQ(on_line(TimeRange{{-999}, {0}}, slow, kNs), (TimeRange{{-995'000'000}, {5'000'000}}));
  EXPECT_DOUBLE_EQ(ticks_on_line(1'998, slow, kUs), 2'000'000);
}

TEST(TimeLine, ThereAndBackIsTheSameWhateverTheDrift) {
  std::mt19937_64 random(11);
  for (int i = 0; i < 1'000; ++i) {
    const OnLine place = {
        TimeBase::kNanoseconds,
        {static_cast<int64_t>(random() % 1'000'000)},
        {1'000'000'000 + static_cast<int64_t>(random() % 200'000) - 100'000, 1'000'000'000}};
    // Since 1970: nothing is lost in numbers so large.
    const Time t = {1'700'000'000'000'000'000 + static_cast<int64_t>(random() % 1'000'000'000)};
    EXPECT_NEAR(static_cast<double>((on_line(on_line(t, place, kNs), kNs, place) - t).ticks), 0, 1);
  }
}

// Clocks that count from 1970: 25 ppm of that are half a day.
TEST(TimeLine, AClockThatIsStretchedKeepsItsPlaceWhereItIsAsked) {
  constexpr int64_t kNanoseconds = 1'700'000'000'000'000'000;
  const Time begin = {kNanoseconds}, later = {kNanoseconds + 1'000'000'000};
  const OnLine plain = {TimeBase::kNanoseconds, {}};
  const OnLine drifting = {TimeBase::kNanoseconds, {7}, {1'000'000'025, 1'000'000'000}};
  for (const int64_t shift : {0, 1, -30'000}) {
    const OnLine place = shifted(drifting, begin, {shift});
    EXPECT_EQ(shift_of(begin, place), Duration{shift});
    EXPECT_EQ(on_line(begin, place, plain), begin + Duration{shift});
    EXPECT_EQ(on_line(later, place, plain), later + Duration{shift + 25});
    EXPECT_EQ(place.rate, drifting.rate);
  }
}

}  // namespace
}  // namespace weft::app
