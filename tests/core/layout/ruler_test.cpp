#include "core/layout/ruler.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <vector>

#include "core/base/clock_text.h"

namespace weft::layout {
namespace {

double width_of(std::string_view text) { return 7.0 * static_cast<double>(text.size()); }

RulerStyle plain(const TimeScale& scale, Time origin, TimeBase base = TimeBase::kNanoseconds) {
  const auto label = [origin, base, span = scale.view().length()](Time t, Duration step) {
    return format_time(Time{(t - origin).ticks}, base, span, step);
  };
  return {origin, label, width_of};
}

TEST(Ruler, StepsAreNice) {
  EXPECT_EQ(nice_step(0.01), Duration{1});
  EXPECT_EQ(nice_step(3), Duration{5});
  EXPECT_EQ(nice_step(11), Duration{20});
  EXPECT_EQ(nice_step(1e30), Duration{1'000'000'000'000'000'000});
}

TEST(Ruler, LabelsNeverTouchAtAnyZoom) {
  for (double length = 1; length < 4e18; length *= 3.3) {
    for (const double width : {80.0, 640.0, 1920.0}) {
      const Time origin{1'000'000'007};
      const Time begin = origin + Duration{static_cast<int64_t>(length / 7)};
      const TimeScale scale({begin, begin + Duration{static_cast<int64_t>(length)}}, width);
      double right = -1e9;
      for (const RulerTick& tick : ruler_ticks(scale, plain(scale, origin))) {
        EXPECT_GE(tick.time, scale.view().begin);
        EXPECT_LT(tick.time, scale.view().end);
        if (!tick.is_major) continue;
        EXPECT_GT(tick.x, right) << "length " << length << " width " << width;
        right = tick.x + width_of(tick.label);
      }
    }
  }
}

TEST(Ruler, TicksLieAtRoundTimesFromTheOrigin) {
  const TimeScale scale({Time{12'345}, Time{22'345}}, 1000);
  const auto ticks = ruler_ticks(scale, plain(scale, Time{345}));
  ASSERT_FALSE(ticks.empty());
  int majors = 0;
  for (const RulerTick& tick : ticks) {
    if (!tick.is_major) continue;
    ++majors;
    EXPECT_EQ((tick.time.ticks - 345) % 100, 0);
    EXPECT_FALSE(tick.label.empty());
  }
  EXPECT_GE(majors, 5);
}

// A clock's ticks are those that a clock's face has; neither labels nor ticks come too close.
TEST(Ruler, ClocksHaveStepsOfTheirOwn) {
  constexpr int64_t kSecond = 1'000'000;
  constexpr int64_t kAllowed[] = {1,   2,   5,    10,   15,   30,    60,    120,  300,
                                  600, 900, 1800, 3600, 7200, 10800, 21600, 43200};
  for (int64_t seconds = 1; seconds < 400'000'000; seconds = seconds * 3 / 2 + 1) {
    const TimeScale scale({Time{0}, Time{seconds * kSecond}}, 1000);
    RulerStyle style = plain(scale, Time{0}, TimeBase::kMicroseconds);
    style.clock_ticks_per_second = kSecond;
    std::vector<int64_t> majors;
    const auto ticks = ruler_ticks(scale, style);
    EXPECT_LE(ticks.size(), 251u) << seconds;
    for (const RulerTick& tick : ticks)
      if (tick.is_major) majors.push_back(tick.time.ticks);
    if (seconds < 60) continue;
    ASSERT_GE(majors.size(), 2u) << seconds;
    const int64_t step = (majors[1] - majors[0]) / kSecond;
    const bool is_of_days =
        step % 86'400 == 0 && nice_step(static_cast<double>(step / 86'400)).ticks == step / 86'400;
    EXPECT_TRUE(is_of_days || std::ranges::find(kAllowed, step) != std::end(kAllowed)) << step;
  }
}

// Days of a calendar that are not all of one length, from a begin that is not a multiple of any.
TEST(Ruler, CalendarsSayWhereTheirStepsLie) {
  constexpr int64_t kSecond = 1000, kDay = kDaySeconds * kSecond;
  constexpr int64_t kOddDay = 25 * 3600 * kSecond;  // the first
  const auto day_begin = [](int64_t day) { return day == 0 ? 0 : kOddDay + (day - 1) * kDay; };
  for (const int64_t days : {2, 9, 40, 200, 1000, 5000}) {
    const TimeScale scale({Time{0}, Time{days * kDay}}, 1000);
    RulerStyle style = plain(scale, Time{0}, TimeBase::kMilliseconds);
    style.clock_ticks_per_second = kSecond;
    std::vector<int64_t> steps;
    style.calendar = [&](Time t, Duration step) {
      steps.push_back(step.ticks / kSecond);
      int64_t day = 0;
      if (step.ticks >= kDay) {
        while (day_begin(day) < t.ticks) day += step.ticks / kDay;
        return Time{day_begin(day)};
      }
      while (day_begin(day + 1) <= t.ticks) ++day;  // hours begin anew each day
      const int64_t steps_in_day = (t.ticks - day_begin(day) + step.ticks - 1) / step.ticks;
      return Time{std::min(day_begin(day) + steps_in_day * step.ticks, day_begin(day + 1))};
    };
    size_t majors = 0;
    for (const RulerTick& tick : ruler_ticks(scale, style)) {
      if (!tick.is_major) continue;
      ++majors;
      const bool is_first = tick.time.ticks == 0;
      EXPECT_TRUE(is_first || days < 9 || tick.time.ticks % kDay == kOddDay - kDay) << days;
    }
    EXPECT_GE(majors, 3u) << days;
    for (const int64_t step : steps) {
      constexpr int64_t kDays[] = {1, 7, 30, 90, 180};
      const int64_t of_days = step / kDaySeconds;
      EXPECT_TRUE(of_days == 0 || of_days % kYearDays == 0 ||
                  std::ranges::find(kDays, of_days) != std::end(kDays))
          << of_days;
    }
  }
}

TEST(Ruler, NeverMoreThanOneTickPerFourPixels) {
  for (int64_t length = 1; length < (int64_t{1} << 60); length *= 5) {
    const TimeScale scale({Time{0}, Time{length}}, 1000);
    EXPECT_LE(ruler_ticks(scale, plain(scale, Time{0}, TimeBase::kCycles)).size(), 251u) << length;
  }
}

TEST(Ruler, AllOfTimeHasARuler) {
  const TimeScale scale({Time::min(), Time::max()}, 1000);
  EXPECT_LE(ruler_ticks(scale, plain(scale, Time::min(), TimeBase::kTicks)).size(), 251u);
}

TEST(Ruler, ALabelThatIsWiderThanTheRulerIsAlone) {
  const TimeScale scale({Time{0}, Time{1000}}, 20);
  int majors = 0;
  for (const RulerTick& tick : ruler_ticks(scale, plain(scale, Time{0}))) {
    majors += tick.is_major ? 1 : 0;
  }
  EXPECT_LE(majors, 1);
}

// covers FS-25
TEST(Ruler, BetweenCutsTicksAreWhereTheirTimesAre) {
  const auto cuts = std::make_shared<const TimeCuts>(
      std::vector<TimeRange>{{{1'000}, {50'000}}, {{50'700}, {90'000}}});
  const TimeScale scale({Time{0}, Time{91'000}}, 1'350, cuts);
  double free_from = -1;
  size_t labels = 0;
  for (const RulerTick& tick : ruler_ticks(scale, plain(scale, Time{0}))) {
    EXPECT_DOUBLE_EQ(tick.x, scale.x_from_time(tick.time));
    for (const TimeRange& cut : cuts->cuts()) EXPECT_FALSE(cut.contains(tick.time));
    if (tick.label.empty()) continue;
    ++labels;
    EXPECT_GE(tick.x, free_from);
    free_from = tick.x + width_of(tick.label);
  }
  EXPECT_GT(labels, 3u);
}

}  // namespace
}  // namespace weft::layout
