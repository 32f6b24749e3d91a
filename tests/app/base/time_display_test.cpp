// covers B-27, C-23: how points in time read
#include "app/base/time_display.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "core/base/clock_text.h"
#include "tests/app/base/in_zone.h"

namespace weft::app {
namespace {

constexpr TimeRange kSinceBoot = {{5'000'000'000}, {6'000'000'000}};
// 2024-02-29 12:00:00 UTC
constexpr TimeRange kCalendar = {{1'709'208'000'000'000'000}, {1'709'208'001'000'000'000}};

std::string label(TimeDisplay display, int64_t ticks, TimeRange trace, int64_t step,
                  TimeBase base = TimeBase::kNanoseconds) {
  return time_label(display, {ticks}, trace, base, trace.length(), {step});
}

TEST(TimeDisplay, CountsFromTheTraceOrFromItsClock) {
  EXPECT_EQ(
      label({TimeOrigin::kTrace, TimeUnit::kMilliseconds}, 5'001'500'000, kSinceBoot, 100'000),
      "1.5 ms");
  EXPECT_EQ(
      label({TimeOrigin::kClock, TimeUnit::kMilliseconds}, 5'001'500'000, kSinceBoot, 100'000),
      "5,001.5 ms");
  EXPECT_EQ(label({TimeOrigin::kTrace, TimeUnit::kSeconds}, 4'999'999'999, kSinceBoot, 1),
            "-0.000000001 s");
  EXPECT_EQ(label({TimeOrigin::kClock, TimeUnit::kNanoseconds}, 5'000'000'001, kSinceBoot, 1),
            "5,000,000,001 ns");
}

// covers B-06
TEST(TimeDisplay, LengthsHaveTheUnitThatIsAskedFor) {
  const auto length = [](TimeUnit unit, int64_t ticks, int digits = 4) {
    return length_label({TimeOrigin::kTrace, unit}, {ticks}, TimeBase::kNanoseconds, digits);
  };
  EXPECT_EQ(length(TimeUnit::kAuto, 24'951'800), "24.95 ms");
  EXPECT_EQ(length(TimeUnit::kMicroseconds, 24'951'800), "24,952 µs");
  EXPECT_EQ(length(TimeUnit::kMicroseconds, 24'951'800, 6), "24,951.8 µs");
  EXPECT_EQ(length(TimeUnit::kMicroseconds, 3), "0.003 µs");
  EXPECT_EQ(length(TimeUnit::kSeconds, -1'234'567), "-0.001235 s");
  EXPECT_EQ(length(TimeUnit::kSeconds, 700'000'000'000), "700 s") << "no clock";
  EXPECT_EQ(length(TimeUnit::kMilliseconds, 0), "0 ms");
  EXPECT_EQ(length(TimeUnit::kNanoseconds, 999), "999 ns");
  EXPECT_EQ(length(TimeUnit::kNanoseconds, -123'456), "-123,456 ns");
  const std::string said = length(TimeUnit::kMicroseconds, 24'951'800, 18);
  EXPECT_EQ(parse_duration(said, TimeBase::kNanoseconds)->ticks, 24'951'800) << said;
  EXPECT_EQ(length_label({TimeOrigin::kTrace, TimeUnit::kSeconds}, {7}, TimeBase::kCycles),
            "7 cycles");
}

TEST(TimeDisplay, IsExactAtTheEndsOfTime) {
  EXPECT_EQ(label({TimeOrigin::kClock, TimeUnit::kSeconds}, INT64_MAX, kSinceBoot, 1),
            "9,223,372,036.854775807 s");
  EXPECT_EQ(label({TimeOrigin::kClock, TimeUnit::kSeconds}, INT64_MIN, kSinceBoot, 1),
            "-9,223,372,036.854775808 s");
}

TEST(TimeDisplay, ReadsTheCalendarWhereTheClockCountsFrom1970) {
  EXPECT_EQ(label({TimeOrigin::kUtc}, kCalendar.begin.ticks + 250'000'000, kCalendar, 10'000'000),
            "12:00:00.25");
  const TimeRange days = {kCalendar.begin, kCalendar.begin + Duration{200'000'000'000'000}};
  EXPECT_EQ(label({TimeOrigin::kUtc}, days.begin.ticks, days, 1'000'000'000),
            "2024-02-29 12:00:00");
  // A clock that counts from the start of the machine says nothing of the calendar.
  EXPECT_EQ(label({TimeOrigin::kUtc, TimeUnit::kSeconds}, 5'500'000'000, kSinceBoot, 100'000'000),
            "5.5 s");
}

// The date stands where it tells days apart, and at midnight on rulers.
TEST(TimeDisplay, SaysTheDateWhereTheTraceHasSeveralDays) {
  constexpr int64_t kHour = 3'600'000'000'000;
  const Time noon = kCalendar.begin;
  const TimeRange evening = {noon + Duration{10 * kHour}, noon + Duration{13 * kHour}};
  const TimeDisplay utc = {TimeOrigin::kUtc};
  const auto ruler = [&](Time t, TimeRange trace, int64_t step) {
    return ruler_label(utc, t, trace, TimeBase::kNanoseconds, trace.length(), {step});
  };
  EXPECT_EQ(label(utc, evening.begin.ticks, evening, 1'000'000'000), "2024-02-29 22:00:00")
      << "three hours, but over midnight";
  EXPECT_EQ(label(utc, evening.begin.ticks, evening, kHour), "2024-02-29 22:00");
  EXPECT_EQ(label(utc, noon.ticks, kCalendar, 1'000'000'000), "12:00:00");
  EXPECT_EQ(ruler(evening.begin, evening, kHour), "22:00");
  EXPECT_EQ(ruler(noon + Duration{12 * kHour}, evening, kHour), "2024-03-01");
  EXPECT_EQ(ruler(noon + Duration{12 * kHour + 1'000'000}, evening, 1'000'000), "00:00:00.001");
  EXPECT_EQ(date_label(utc, noon, kCalendar, TimeBase::kNanoseconds), "2024-02-29");
  EXPECT_EQ(date_label({}, noon, kCalendar, TimeBase::kNanoseconds), "");
}

TEST(TimeDisplay, AColumnOfDurationsHasOneUnit) {
  const auto cells = [](const TimeDisplay& display, std::initializer_list<int64_t> ticks) {
    const auto [least, most] = std::minmax_element(ticks.begin(), ticks.end());
    const LengthColumn column(display, TimeBase::kNanoseconds, {*least}, {*most});
    std::vector<std::string> texts;
    for (const int64_t t : ticks) texts.push_back(column.cell({t}));
    return texts;
  };
  using Texts = std::vector<std::string>;
  EXPECT_EQ(cells({}, {12'000, 1'500'000, 999'999'999}),
            (Texts{"0.012 ms", "1.500 ms", "1,000.000 ms"}));
  EXPECT_EQ(cells({}, {900, 1'500'000}), (Texts{"0.900 µs", "1,500.000 µs"}));
  EXPECT_EQ(cells({}, {7, 2'000'000}), (Texts{"7 ns", "2,000,000 ns"}));
  EXPECT_EQ(cells({}, {1'000'000'000, 4'000'000'000'000}), (Texts{"1.000 s", "4,000.000 s"}));
  EXPECT_EQ(cells({}, {250'000, 250'000}), (Texts{"250.000 µs", "250.000 µs"}));
  EXPECT_EQ(cells({TimeOrigin::kTrace, TimeUnit::kMicroseconds}, {900, 1'500'000}),
            (Texts{"0.900 µs", "1,500.000 µs"}))
      << "the unit that is set";
  EXPECT_EQ(LengthColumn({}, TimeBase::kNanoseconds, {}, {}).cell({}), "0.000 s");
  EXPECT_EQ(LengthColumn({}, TimeBase::kTicks, {3}, {5}).cell({5}),
            length_cell({}, {5}, TimeBase::kTicks));
}

TEST(TimeDisplay, AColumnsEstimatesHaveThreeDigitsAndFewShortOnesAUnitOfTheirOwn) {
  const LengthColumn column({}, TimeBase::kNanoseconds, {1'000'000}, {1'006'632'959});
  EXPECT_EQ(column.cell({1'006'632'959}), "1,006.633 ms");
  EXPECT_EQ(column.estimate({67'108'863}), "≈ 67.1 ms");
  EXPECT_EQ(column.estimate({1'006'632'959}), "≈ 1,010 ms");
  EXPECT_EQ(column.estimate({-67'108'863}), "≈ -67.1 ms");
  EXPECT_EQ(column.cell({120}), "120 ns");
  EXPECT_EQ(column.cell({0}), "0.000 ms");
  EXPECT_EQ(LengthColumn({}, TimeBase::kTicks, {3}, {5}).estimate({1}), "≈ 1 tick");
  const LengthColumn set({TimeOrigin::kTrace, TimeUnit::kMicroseconds}, TimeBase::kNanoseconds,
                         {900}, {1'500'000});
  EXPECT_EQ(set.estimate({1'048'575}), "≈ 1,050 µs");
}

// Also where local time differs from UTC by half an hour.
TEST(TimeDisplay, RulersOfLocalTimeStepFromMidnight) {
  const testing::InZone zone("IST-5:30");
  const TimeDisplay local = {TimeOrigin::kLocal};
  const Time origin = ruler_origin(local, kCalendar, TimeBase::kNanoseconds, kCalendar.begin);
  const auto at = [&](int64_t days) {
    return ruler_label(local, origin + Duration{days * 86'400'000'000'000}, kCalendar,
                       TimeBase::kNanoseconds, {1}, {1});
  };
  EXPECT_EQ(at(0), "1970-01-01");
  EXPECT_EQ(at(19'782), "2024-02-29");
}

// Ticks from a time on, as they are labelled.
std::vector<std::string> calendar_ticks(TimeOrigin origin, Time from, int64_t step_seconds,
                                        size_t count) {
  const Duration step = {step_seconds * 1'000'000'000};
  const auto calendar = ruler_calendar({origin}, kCalendar, TimeBase::kNanoseconds);
  std::vector<std::string> labels;
  for (Time t = calendar(from, step); labels.size() < count; t = calendar(t + Duration{1}, step))
    labels.push_back(ruler_label({origin}, t, kCalendar, TimeBase::kNanoseconds, {1}, step));
  return labels;
}

TEST(TimeDisplay, RulersOfTheCalendarHaveItsWeeksMonthsAndYears) {
  using Labels = std::vector<std::string>;
  const auto ticks = [](int64_t days, size_t count) {
    return calendar_ticks(TimeOrigin::kUtc, kCalendar.begin, days * kDaySeconds, count);
  };
  EXPECT_EQ(ticks(1, 2), (Labels{"2024-03-01", "2024-03-02"}));
  EXPECT_EQ(ticks(kWeekDays, 2), (Labels{"2024-03-04", "2024-03-11"})) << "Mondays";
  EXPECT_EQ(ticks(kMonthDays, 3), (Labels{"2024-03-01", "2024-04-01", "2024-05-01"}));
  EXPECT_EQ(ticks(3 * kMonthDays, 4),
            (Labels{"2024-04-01", "2024-07-01", "2024-10-01", "2025-01-01"}));
  EXPECT_EQ(ticks(kYearDays, 2), (Labels{"2025-01-01", "2026-01-01"}));
  EXPECT_EQ(ticks(5 * kYearDays, 2), (Labels{"2025-01-01", "2030-01-01"}));
  EXPECT_EQ(calendar_ticks(TimeOrigin::kUtc, kCalendar.begin, 6 * 3600, 3),
            (Labels{"12:00", "18:00", "2024-03-01"}));
  EXPECT_FALSE(ruler_calendar({TimeOrigin::kTrace}, kCalendar, TimeBase::kNanoseconds));
}

// 2024-03-31 has 23 hours there, 2024-10-27 has 25.
TEST(TimeDisplay, RulersFollowClocksThatArePutForwardAndBack) {
  using Labels = std::vector<std::string>;
  const testing::InZone zone("CET-1CEST,M3.5.0,M10.5.0/3");
  const auto ticks = [](int64_t from_seconds, int64_t step_seconds, size_t count) {
    const Time from = {from_seconds * 1'000'000'000};
    return calendar_ticks(TimeOrigin::kLocal, from, step_seconds, count);
  };
  constexpr int64_t kMarch30 = 1'711'753'200, kOctober26 = 1'729'893'600;  // their midnights
  EXPECT_EQ(ticks(kMarch30, kDaySeconds, 3), (Labels{"2024-03-30", "2024-03-31", "2024-04-01"}));
  EXPECT_EQ(ticks(kMarch30 + kDaySeconds, 6 * 3600, 5),
            (Labels{"2024-03-31", "06:00", "12:00", "18:00", "2024-04-01"}));
  EXPECT_EQ(ticks(kOctober26, kDaySeconds, 3), (Labels{"2024-10-26", "2024-10-27", "2024-10-28"}));
  EXPECT_EQ(ticks(kOctober26 + kDaySeconds, 6 * 3600, 5),
            (Labels{"2024-10-27", "06:00", "12:00", "18:00", "2024-10-28"}));
}

// 02:00 to 03:00 comes twice on 2024-10-27.
TEST(TimeDisplay, TimesOfAnHourThatComesTwiceAreToldApart) {
  using Labels = std::vector<std::string>;
  const testing::InZone zone("CET-1CEST,M3.5.0,M10.5.0/3");
  constexpr int64_t kBack = 1'729'990'800;  // 03:00 CEST becomes 02:00 CET
  const Time from = {(kBack - 2 * 3600) * 1'000'000'000};
  EXPECT_EQ(calendar_ticks(TimeOrigin::kLocal, from, 3600, 5),
            (Labels{"01:00", "02:00 CEST", "02:00 CET", "03:00", "04:00"}));
  EXPECT_EQ(calendar_ticks(TimeOrigin::kLocal, {from.ticks + 1}, 7200, 3),
            (Labels{"02:00 CEST", "02:00 CET", "04:00"}));
  const TimeRange trace = {from, from + Duration{4 * 3600 * int64_t{1'000'000'000}}};
  const auto at = [&](int64_t seconds) {
    return label({TimeOrigin::kLocal}, (kBack + seconds) * 1'000'000'000, trace, 1'000'000'000);
  };
  EXPECT_EQ(at(-1800), "02:30:00 CEST");
  EXPECT_EQ(at(1800), "02:30:00 CET");
  EXPECT_EQ(at(3600), "03:00:00");
  EXPECT_EQ(at(-3601), "01:59:59");
  const testing::InZone unnamed("<+01>-1<+02>,M3.5.0,M10.5.0/3");
  EXPECT_EQ(at(-1800), "02:30:00 +02:00");
  EXPECT_EQ(at(1800), "02:30:00 +01:00");
}

// The labels of long traces can be typed.
TEST(TimeDisplay, ReadsAsAClockWhereTheTraceIsLong) {
  constexpr int64_t kSecond = 1'000'000'000;
  const TimeRange hours = {{7 * kSecond}, {(7 + 10'000) * kSecond}};
  const int64_t at = (7 + 5'025) * kSecond;
  EXPECT_EQ(label({}, at, hours, 60 * kSecond), "1:23:45");
  EXPECT_EQ(label({}, at + 250'000'000, hours, 10'000'000), "1:23:45.25");
  EXPECT_EQ(label({}, 6 * kSecond, hours, 1), "-0:00:01.000000000");
  EXPECT_EQ(label({TimeOrigin::kTrace, TimeUnit::kSeconds}, at, hours, kSecond), "5,025 s");
  EXPECT_EQ(label({TimeOrigin::kClock}, at, hours, kSecond), "5,032 s");
  const TimeRange days = {{0}, {400'000 * kSecond}};
  EXPECT_EQ(label({}, 260'000 * kSecond, days, kSecond), "3 d 0:13:20");
  EXPECT_EQ(label({}, 3 * 86'400 * kSecond, days, 86'400 * kSecond), "3 d");
  EXPECT_EQ(label({}, 1'500'000'000, {{0}, {599 * kSecond}}, 100'000'000), "1.5 s");
  for (const auto& [range, ticks] :
       {std::pair(hours, at + 123'456'789), {days, 260'000'000'000'001}}) {
    const std::string said = label({}, ticks, range, 1);
    const auto parsed = parse_time("+" + said, range, TimeBase::kNanoseconds);
    ASSERT_TRUE(parsed) << said;
    EXPECT_EQ(parsed->ticks, ticks) << said;
  }
}

TEST(TimeDisplay, CellsOfAColumnHaveTheirPointsBelowEachOther) {
  const auto cell = [](int64_t ticks, TimeBase base = TimeBase::kNanoseconds,
                       TimeUnit unit = TimeUnit::kAuto) {
    return length_cell({TimeOrigin::kTrace, unit}, {ticks}, base);
  };
  EXPECT_EQ(cell(12'842'949'000), "12.843 s");
  EXPECT_EQ(cell(679'960'000), "679.960 ms");
  EXPECT_EQ(cell(308'000), "308.000 µs");
  EXPECT_EQ(cell(-4'422'600), "-4.423 ms");
  // No more digits than ticks tell.
  EXPECT_EQ(cell(512), "512 ns");
  EXPECT_EQ(cell(40, TimeBase::kMicroseconds), "40 µs");
  EXPECT_EQ(cell(1'500, TimeBase::kMicroseconds), "1.500 ms");
  EXPECT_EQ(cell(7, TimeBase::kSeconds), "7 s");
  EXPECT_EQ(cell(1'500, TimeBase::kPicoseconds), "1.500 ns");
  EXPECT_EQ(cell(500, TimeBase::kPicoseconds), "500 ps");
  EXPECT_EQ(cell(1'500, TimeBase::kCycles), "1,500 cycles");
  EXPECT_EQ(cell(0), "0 s");
  EXPECT_EQ(cell(3'723'000'000'000), "1:02:03");
  // In a unit that is set, nothing is lost.
  EXPECT_EQ(cell(1'234'567'890, TimeBase::kNanoseconds, TimeUnit::kMilliseconds),
            "1,234.567890 ms");
  EXPECT_EQ(cell(1, TimeBase::kNanoseconds, TimeUnit::kSeconds), "0.000000001 s");
}

TEST(TimeDisplay, LeavesTicksWithoutSecondsAsTheyAre) {
  EXPECT_EQ(label({TimeOrigin::kClock, TimeUnit::kMilliseconds}, 1'200, {{1'000}, {2'000}}, 1,
                  TimeBase::kCycles),
            format_time({1'200}, TimeBase::kCycles, {1'000}, {1}));
}

}  // namespace
}  // namespace weft::app
